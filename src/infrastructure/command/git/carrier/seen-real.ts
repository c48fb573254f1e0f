/** Where commands see the real git folder, which they cannot write. */
export const SEEN_REAL = '/run/airlock/git';
