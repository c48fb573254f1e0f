import type { Socket as DatagramSocket } from 'node:dgram';
import { Server } from 'node:net';
import { startProcess } from '../../process/process-starter.js';

/** A socket that is to wait inside a network namespace. */
export interface WantedSocket {
  readonly kind: 'tcp' | 'udp';
  readonly host: string;
  readonly port: number;
  /** Where a command already has the port, the others are opened all the same. */
  readonly optional?: true;
}

export type HeldSocket = Server | DatagramSocket;

/** Why a network of names could not be opened, in one sentence. */
export class NetworkNotOpened extends Error {}

/**
 * Runs inside the network, in no other namespace of the session: commands cannot see it. It listens, hands each socket
 * over with its number and ends; from then on only the server accepts.
 */
const HELPER = `
const net = require('node:net'), dgram = require('node:dgram');
const wanted = JSON.parse(process.argv[1]);
const open = ({ kind, host, port }) => new Promise((resolve, reject) => {
  if (kind === 'tcp') {
    const server = net.createServer();
    server.once('error', reject);
    server.listen({ host, port, backlog: 1024 }, () => resolve(server));
  } else {
    const socket = dgram.createSocket('udp4');
    socket.once('error', reject);
    socket.bind({ address: host, port, exclusive: true }, () => resolve(socket));
  }
});
const send = (message, handle) => new Promise((resolve, reject) =>
  process.send(message, handle, (error) => error ? reject(error) : resolve()));
(async () => {
  for (const [index, one] of wanted.entries()) {
    const opened = await open(one).catch((error) => String(error.code));
    if (typeof opened === 'string') await send({ index, error: opened });
    else await send({ index }, opened);
  }
  process.disconnect();
  process.exit(0);
})();
`;

export interface NetworkPlace {
  readonly nsenter: string;
  readonly isRoot: boolean;
  /** The user namespace that owns the network. */
  readonly setup: number;
  readonly net: number;
}

const PATIENCE_MS = 20_000;

/** Opens all of them, or throws NetworkNotOpened; of optional ones those that are free. */
export async function listenInside(
  { nsenter, isRoot, setup, net }: NetworkPlace,
  wanted: readonly WantedSocket[],
): Promise<readonly (HeldSocket | undefined)[]> {
  const entering = isRoot ? [] : ['--user=/proc/self/fd/3', '--preserve-credentials'];
  const args = [...entering, '--net=/proc/self/fd/4', '--', process.execPath, '--eval', HELPER];
  const child = await startProcess(nsenter, [...args, JSON.stringify(wanted)], {
    cwd: '/',
    env: {},
    stdio: ['ignore', 'ignore', 'pipe'],
    descriptors: [setup, net, 'ipc'],
  });
  const found: (HeldSocket | undefined)[] = wanted.map(() => undefined);
  const failures = new Map<number, string>();
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = `${said}${chunk.toString()}`.slice(-500);
  });
  child.on('message', (message, handle) => {
    const { index, error } = readMessage(message);
    if (isHeld(handle)) found[index] = handle;
    else failures.set(index, error);
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    // After the end of its channel: what it sent last has come by then.
    child.once('close', resolve);
  }).finally(() => clearTimeout(timer));
  const missing = wanted.findIndex((one, index) => found[index] === undefined && one.optional !== true);
  if (missing < 0 && code === 0) return found;
  for (const socket of found) socket?.close();
  const { kind, host, port } = wanted[Math.max(missing, 0)] ?? { kind: 'tcp', host: '', port: 0 };
  const why = failures.get(missing) ?? (said.trim() || `the helper ended with ${code}`);
  throw new NetworkNotOpened(`The network by host could not be opened: ${kind} ${host}:${port}, ${why}.`);
}

function readMessage(message: unknown): { readonly index: number; readonly error: string } {
  const index =
    typeof message === 'object' && message !== null && 'index' in message ? Number(message.index) : -1;
  const error =
    typeof message === 'object' && message !== null && 'error' in message ? String(message.error) : '';
  return { index, error };
}

function isHeld(handle: unknown): handle is HeldSocket {
  return handle instanceof Server || (typeof handle === 'object' && handle !== null && 'bind' in handle);
}
