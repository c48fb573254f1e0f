import type { ParseError } from 'jsonc-parser';
import { isJsonObject } from '../../domain/json-value.js';
import { Result } from '../../domain/result.js';
import { insertMember, removeMember } from './json-text.js';
import type { ServerEntry } from './server-entry.js';

/** Where in a file the entry stands. */
export interface EntryPlace {
  readonly file: string;
  readonly under: string;
  readonly name: string;
}

/**
 * The text with the entry in it, changed in no other place: comments, order and indentation stay. What somebody
 * added to the entry stays, too.
 */
export async function withJsonEntry(
  text: string,
  { file, under, name }: EntryPlace,
  entry: ServerEntry,
): Promise<Result<string>> {
  const read = await readJson(text, file);
  if (!read.success) return read;
  const servers = read.value[under];
  if (servers !== undefined && !isJsonObject(servers)) return wrongKey(file, under);
  let after = text.trim() === '' ? '{}\n' : text;
  if (servers === undefined) return Result.ok(await putJson(after, [under], { [name]: entry }));
  const present = servers[name];
  if (!isJsonObject(present)) return Result.ok(await putJson(after, [under, name], entry));
  for (const [key, value] of Object.entries(entry)) {
    const old = present[key];
    // Variables that somebody set for the server stay beside ours.
    const parts = isJsonObject(old) && isJsonObject(value) ? Object.entries(value) : undefined;
    for (const [variable, content] of parts ?? []) {
      after = await putJson(after, [under, name, key, variable], content);
    }
    if (parts === undefined) after = await putJson(after, [under, name, key], value);
  }
  return Result.ok(after);
}

/** The text without the entry. */
export async function withoutJsonEntry(
  text: string,
  { file, under, name }: EntryPlace,
): Promise<Result<string>> {
  const { findNodeAtLocation, parseTree } = await import('jsonc-parser');
  const read = await readJson(text, file);
  if (!read.success) return read;
  const tree = parseTree(text, [], { allowTrailingComma: true });
  const object = tree && findNodeAtLocation(tree, [under]);
  const member = tree && findNodeAtLocation(tree, [under, name])?.parent;
  return Result.ok(object && member ? removeMember(text, object, member) : text);
}

/** Replaces a value, or adds it where there is none; the object around it is there. */
export async function putJson(
  text: string,
  path: readonly [string, ...string[]],
  value: unknown,
): Promise<string> {
  const { findNodeAtLocation, getNodeValue, parseTree } = await import('jsonc-parser');
  const tree = parseTree(text, [], { allowTrailingComma: true });
  const node = tree && findNodeAtLocation(tree, [...path]);
  if (node !== undefined) {
    if (JSON.stringify(getNodeValue(node)) === JSON.stringify(value)) return text;
    return `${text.slice(0, node.offset)}${JSON.stringify(value)}${text.slice(node.offset + node.length)}`;
  }
  const object = tree && findNodeAtLocation(tree, path.slice(0, -1));
  return object === undefined ? text : insertMember(text, object, path.at(-1) ?? '', value);
}

export async function readJson(
  text: string,
  file: string,
): Promise<Result<Readonly<Record<string, unknown>>>> {
  if (text.trim() === '') return Result.ok({});
  const { parse, printParseErrorCode } = await import('jsonc-parser');
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined) {
    const before = text.slice(0, first.offset).split('\n');
    const place = `${file}:${before.length}:${(before.at(-1) ?? '').length + 1}`;
    return Result.failure(
      `${place}: This is not valid JSON (${printParseErrorCode(first.error)}). Correct it first; nothing was changed.`,
      'InvalidClientFile',
    );
  }
  if (isJsonObject(value)) return Result.ok(value);
  return Result.failure(
    `${file}:1:1: Expected a JSON object. Nothing was changed; move the file away to begin anew.`,
    'InvalidClientFile',
  );
}

function wrongKey(file: string, under: string): Result<never> {
  return Result.failure(
    `${file}: Expected an object under "${under}". Correct it first; nothing was changed.`,
    'InvalidClientFile',
  );
}
