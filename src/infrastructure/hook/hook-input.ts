const KEPT = Symbol.for('castellan.hookInput');

/** Two programs in one process: the fast one has read the standard input, the other one needs it. */
export function giveHookInput(input: string): void {
  Reflect.set(globalThis, KEPT, input);
}

/** Undefined: nobody has read it yet. */
export function takeHookInput(): string | undefined {
  const input: unknown = Reflect.get(globalThis, KEPT);
  Reflect.deleteProperty(globalThis, KEPT);
  return typeof input === 'string' ? input : undefined;
}
