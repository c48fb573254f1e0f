/** Who makes a call. Programs on this machine are local; an HTTP caller is identified by its credentials. */
export interface Caller {
  readonly id: string;
  readonly transport: 'stdio' | 'embedded' | 'http';
  readonly apiKeyHash?: string;
  readonly issuer?: string;
  readonly claims?: Readonly<Record<string, unknown>>;
}

export const LOCAL_STDIO: Caller = { id: 'local', transport: 'stdio' };
export const LOCAL_EMBEDDED: Caller = { id: 'local', transport: 'embedded' };

const KEY_NAME = /^key-[0-9a-f]{12}$/;

/** The name of the caller with this key: enough of the hash to tell keys apart, too little to be one. */
export function nameOfKey(apiKeyHash: string): string {
  return `key-${apiKeyHash.slice('sha256:'.length, 'sha256:'.length + 12)}`;
}

export type KeyBearer = Caller & { readonly apiKeyHash: string };

/** The caller that sent this key. */
export function keyCaller(apiKeyHash: string): KeyBearer {
  return { id: nameOfKey(apiKeyHash), transport: 'http', apiKeyHash };
}

/**
 * Returns true for names that the server itself assigns. Another caller with that name would share limits and
 * workflows.
 */
export function isOwnName(id: string): boolean {
  return id === LOCAL_STDIO.id || KEY_NAME.test(id);
}

/** All credentials of a caller as one key: the same name with other credentials is another caller. */
export function callerKey({ id, transport, apiKeyHash, issuer, claims }: Caller): string {
  return claims === undefined && issuer === undefined
    ? `${transport}\n${id}\n${apiKeyHash ?? ''}`
    : JSON.stringify([transport, id, apiKeyHash, issuer, claims]);
}
