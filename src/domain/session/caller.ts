/** Who is asking. Programs on this machine are local; an HTTP caller is who its credentials say. */
export interface Caller {
  readonly id: string;
  readonly transport: 'stdio' | 'embedded' | 'http';
  readonly apiKeyHash?: string;
  readonly issuer?: string;
  readonly claims?: Readonly<Record<string, unknown>>;
}

export const LOCAL_STDIO: Caller = { id: 'local', transport: 'stdio' };
export const LOCAL_EMBEDDED: Caller = { id: 'local', transport: 'embedded' };

/** Everything that says who a caller is: the same name with other credentials is somebody else. */
export function callerKey({ id, transport, apiKeyHash, issuer, claims }: Caller): string {
  return claims === undefined && issuer === undefined
    ? `${transport}\n${id}\n${apiKeyHash ?? ''}`
    : JSON.stringify([transport, id, apiKeyHash, issuer, claims]);
}
