const MAX_NAME = 100;
const MAX_MESSAGE = 10_000;

/**
 * Converts a thrown value to an ordinary Error. Anything can be thrown, including values that throw when they
 * are read: the text then says so.
 */
export function asError(thrown: unknown): Error {
  try {
    if (thrown instanceof Error) return plainCopy(thrown);
    return new Error(cut(textOf(thrown), MAX_MESSAGE));
  } catch {
    return new Error('something was thrown that cannot be read');
  }
}

/** undefined if it cannot be read, or is not a promise's function. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  return 'then' in value && typeof value.then === 'function';
}

function plainCopy(error: Error): Error {
  const { name, message, stack, cause } = error;
  const copy = new Error(cut(textOf(message), MAX_MESSAGE), cause === undefined ? undefined : { cause });
  copy.name = cut(textOf(name), MAX_NAME);
  if (typeof stack === 'string') copy.stack = cut(stack, MAX_MESSAGE);
  return copy;
}

function textOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'object':
      return value !== null && 'message' in value && typeof value.message === 'string'
        ? value.message
        : (JSON.stringify(value) ?? String(value));
    case 'function':
      return `[function ${value.name}]`;
    default:
      return String(value);
  }
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}...` : text;
}
