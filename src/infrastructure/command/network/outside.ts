import { lookup } from 'node:dns/promises';
import { connect, type OnReadOpts, type Socket } from 'node:net';
import type { AddressCheck } from './address-check.js';

/** How the server itself reaches hosts: looks names up and connects to addresses. */
export interface Outside {
  lookup(name: string): Promise<readonly string[]>;
  connect(address: string, port: number, onread?: OnReadOpts): Socket;
}

export const REAL_OUTSIDE: Outside = {
  lookup: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
  connect: (host, port, onread) => connect({ host, port, allowHalfOpen: true, ...(onread && { onread }) }),
};

export type Dialled =
  | { readonly kind: 'connected'; readonly socket: Socket }
  /** By the policy. */
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'failed'; readonly why: string };

const PATIENCE_MS = 10_000;
const MOST_ADDRESSES = 4;

/** Connects to the first address of a host that may be reached. It dials what was checked, never the name again. */
export async function dial(
  outside: Outside,
  check: AddressCheck,
  target: { readonly host: string; readonly port: number; readonly isAddress: boolean },
  onread?: OnReadOpts,
): Promise<Dialled> {
  const { host, port, isAddress } = target;
  let addresses: readonly string[];
  try {
    addresses = isAddress ? [host] : await outside.lookup(host);
  } catch (error) {
    return { kind: 'failed', why: `its address was not found: ${messageOf(error)}` };
  }
  const judged = addresses
    .slice(0, MOST_ADDRESSES)
    .map((address) => ({ address, why: check.problem(address) }));
  const open = judged.filter(({ why }) => why === undefined);
  const [first] = judged;
  if (first === undefined) return { kind: 'failed', why: 'it has no address' };
  if (open.length === 0) return { kind: 'refused', why: `${first.address}: ${first.why}` };
  let why = '';
  for (const { address } of open) {
    const socket = outside.connect(address, port, onread);
    const problem = await connected(socket);
    if (problem === undefined) return { kind: 'connected', socket };
    why = problem;
  }
  return { kind: 'failed', why };
}

/** Returns why the socket did not connect, or undefined. */
function connected(socket: Socket): Promise<string | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => fail(new Error(`no answer within ${PATIENCE_MS / 1000} s`)), PATIENCE_MS);
    const fail = (error: Error): void => {
      clearTimeout(timer);
      // A second error of the same attempt has nobody to go to.
      socket.on('error', () => undefined);
      socket.destroy();
      resolve(error.message);
    };
    socket.once('error', fail);
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('error', fail);
      resolve(undefined);
    });
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
