/** A name of an object: 40 or 64 hexadecimal digits, not all of them zeros. */
export const OBJECT_NAME = /^(?!0+$)(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const SYMBOLIC = /^ref: (refs\/\S+)$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: git forbids them in names.
const REF = /^refs\/(?!.*(?:\/\/|\.\.|@\{|\/\.|\/-|\.lock(?:\/|$)))[^\x00-\x20\x7f~^:?*[\\]+$/;
const MAX_LENGTH = 1_000;

/** Whether git would take this as the name of a ref, and no program would take a part of it for an option. */
export function isRefName(name: string): boolean {
  return REF.test(name) && !/[/.]$/.test(name) && name.length < MAX_LENGTH;
}

/** The ref that HEAD or another ref stands for. */
export function targetOf(value: string | undefined): string | undefined {
  const target = SYMBOLIC.exec(value ?? '')?.[1];
  return target !== undefined && isRefName(target) ? target : undefined;
}

/** What git writes into a ref. */
export function isRefValue(value: string): boolean {
  return OBJECT_NAME.test(value) || targetOf(value) !== undefined;
}
