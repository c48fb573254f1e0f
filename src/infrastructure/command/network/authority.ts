import type { NamedPort } from '../../../domain/permission/network/host-access.js';
import { parseHostName, parsePlainAddress } from '../../../domain/permission/network/host-name.js';

export type Authority = NamedPort;

const LARGEST_PORT = 65_535;

/**
 * Reads `name:port`, `192.0.2.7:port` or `[2001:db8::7]:port`. Only the one usual spelling of an address passes: decimal,
 * octal and short ones are no names and no addresses.
 */
export function parseAuthority(written: string, defaultPort?: number): Authority | undefined {
  const match = /^(\[[0-9a-fA-F:.]+\]|[^:[\]@/\\#?%\s]+)(?::(\d{1,5}))?$/.exec(written);
  const port = match?.[2] === undefined ? defaultPort : Number(match[2]);
  const host = match?.[1] === undefined ? undefined : parseHost(match[1]);
  if (host === undefined || port === undefined || port < 1 || port > LARGEST_PORT) return undefined;
  return { host, port };
}

/** A name or an address as rules are compared with it; an IPv6 address stands in brackets. */
export function parseHost(written: string): string | undefined {
  if (!written.startsWith('[')) return parsePlainAddress(written) ?? parseHostName(written);
  try {
    const { hostname } = new URL(`http://${written}/`);
    return hostname.slice(1, -1);
  } catch {
    // No address.
    return undefined;
  }
}
