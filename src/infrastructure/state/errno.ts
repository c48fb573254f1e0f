/** The code of an error of the system, such as ENOENT; undefined where it is another kind of error. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

export function hasErrno(error: unknown, ...codes: readonly string[]): boolean {
  const found = errnoOf(error);
  return found !== undefined && codes.includes(found);
}

/** What to tell of a failure: the code where there is one, which names no path. */
export function reasonOf(error: unknown): string {
  return errnoOf(error) ?? (error instanceof Error ? error.message : String(error));
}
