import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const LISTENING = '0A';

/** Whether this very process waits for connections at a port: no command may reach the server through its loopback. */
export function isOwnPort(port: number): boolean {
  const own = new Set(ownSockets());
  return ['tcp', 'tcp6'].some((table) =>
    linesOf(table).some((line) => {
      const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
      return (
        state === LISTENING && Number.parseInt(local.split(':').at(-1) ?? '', 16) === port && own.has(inode)
      );
    }),
  );
}

function ownSockets(): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${descriptor}`))?.[1] ?? [];
    } catch {
      // Closed since the folder was read.
      return [];
    }
  });
}

function linesOf(table: string): readonly string[] {
  try {
    return readFileSync(`/proc/self/net/${table}`, 'utf8').split('\n').slice(1);
  } catch {
    // A kernel without IPv6 has no table of it.
    return [];
  }
}
