import { mapped, type Shape, text } from '../../config/yaml-shape.js';
import type { Named } from './policy-document.js';

const NAME = /^(?:\*|(?:\*\.)?[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*|[0-9a-fA-F:]*:[0-9a-fA-F:]*)$/;
const LONGEST_PORT = 65_535;

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
