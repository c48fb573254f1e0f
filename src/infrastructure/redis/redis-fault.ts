/** Redis cannot be asked now: it is away, too slow, or has lost what it knew. */
export class StoreUnavailable extends Error {
  constructor(why: string) {
    super(`Redis does not answer (${why}). The server connects again by itself as soon as it is back.`);
    this.name = 'StoreUnavailable';
  }
}

/** Redis is there and must not be used by this instance: only a person can change that. */
export class StoreRefused extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'StoreRefused';
  }
}

/** The kind of fault only: messages of the library may repeat the address with its password, those of Redis a key. */
export function reasonOf(error: unknown): string {
  if (error instanceof StoreUnavailable || error instanceof StoreRefused) return error.message;
  if (!(error instanceof Error)) return 'unknown fault';
  if (error.name === 'ReplyError') return /^[A-Z]+\b/.exec(error.message)?.[0] ?? error.name;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
