import { PROXY_PORT } from '../../../domain/permission/network/host-access.js';
import { parsePrivateRange } from '../../command/network/private-range.js';
import { mapped, type Shape, text, wholeNumber } from '../../config/yaml-shape.js';
import type { Named } from './policy-document.js';

const NAME = /^(?:\*|(?:\*\.)?[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*|[0-9a-fA-F:]*:[0-9a-fA-F:]*)$/;
const LONGEST_PORT = 65_535;
/** What every network by host has in use. */
const KEPT_PORTS: readonly number[] = [22, 53, 80, 443, PROXY_PORT];

/** `api.example.com`, `*.example.com` or `*`, each with a port or without; other forms match no host. */
export const hostName: Shape<Named> = mapped(text, (written, at, reading) => {
  const named = { name: written, at: reading.position(at) };
  const { name, port } = splitPort(written);
  if (NAME.test(name) && (port === undefined || port <= LONGEST_PORT)) return named;
  const bare = /^[a-z][a-z0-9+.-]*:\/\//i.test(written) ? hostOf(written) : undefined;
  const hint =
    bare === undefined
      ? 'Write a name such as api.example.com, *.example.com for all below it, or *; a port may follow, as in api.example.com:8443.'
      : `Write ${bare}: a host has no scheme and no path.`;
  return reading.report(at, `${JSON.stringify(written)} is not a host, so it matches nothing.`, hint);
});

function splitPort(written: string): { name: string; port?: number } {
  const match = /^([^:]*):(\d+)$/.exec(written);
  return match?.[1] === undefined ? { name: written } : { name: match[1], port: Number(match[2]) };
}

function hostOf(address: string): string | undefined {
  try {
    return new URL(address).host || undefined;
  } catch {
    // No address either: the general hint says what a host is.
    return undefined;
  }
}

/** A range of private addresses. Others need no word, or are never reached by a name. */
export const addressRange: Shape<string> = mapped(text, (written, at, reading) => {
  if (parsePrivateRange(written) !== undefined) return written;
  const message = `${JSON.stringify(written)} is not a range of private addresses.`;
  const hint =
    'Write one inside 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 100.64.0.0/10 or fc00::/7, such as 10.1.0.0/16. Public addresses need none; services of this machine are for loopback.';
  return reading.report(at, message, hint);
});

export const loopbackPort: Shape<number> = mapped(wholeNumber(1), (port, at, reading) => {
  if (port <= LONGEST_PORT && !KEPT_PORTS.includes(port)) return port;
  const message = `${port} cannot be a port of loopback.`;
  const hint = `Write a port up to ${LONGEST_PORT}, but not ${KEPT_PORTS.join(', ')}: the server itself waits there for the names of hosts.`;
  return reading.report(at, message, hint);
});
