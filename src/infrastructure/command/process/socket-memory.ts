import { textOf } from './memory-watchdog.js';

/**
 * The kernel's default send buffer, which the system call filter lets nobody enlarge. Nobody tells how full the buffers
 * of a socket are, so that each counts as one.
 */
const SOCKET_BYTES = 212_992;
/** Buffers of TCP grow by themselves, up to a few megabytes; what waits in them is listed. */
const MOST_OF_TCP = 10 * 1024 * 1024;
const QUEUES = /^\s*\d+: \S+ \S+ \S+ ([0-9A-F]{8}):([0-9A-F]{8}) /gm;

/** What the sockets in the network of a process may hold. `limitBytes`: where a closer look at TCP is worth it. */
export function socketBytes(pid: number, limitBytes: number): number {
  const text = textOf(`/proc/${pid}/net/sockstat`);
  const count = (name: RegExp): number => Number(name.exec(text)?.[1] ?? 0);
  const buffers = count(/^sockets: used (\d+)$/m) * SOCKET_BYTES;
  const connections = count(/^TCP: inuse (\d+)/m) + count(/^TCP: .* tw (\d+)/m);
  if (connections * MOST_OF_TCP <= limitBytes) return buffers;
  return buffers + ['tcp', 'tcp6'].reduce((sum, name) => sum + queued(textOf(`/proc/${pid}/net/${name}`)), 0);
}

function queued(table: string): number {
  let bytes = 0;
  for (const [, sent = '0', received = '0'] of table.matchAll(QUEUES))
    bytes += Number.parseInt(sent, 16) + Number.parseInt(received, 16);
  return bytes;
}
