import { closeSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { processesWith } from './sandbox-jobs.js';

/** The shells that wait at the gates of sandboxes whose arguments name a folder. */
export function waitingShells(folder: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const [file, , text = ''] = read(`/proc/${pid}/cmdline`).split('\0');
      return (
        file === '/bin/sh' &&
        text.includes('read -r go') &&
        read(`/proc/${parentOf(pid)}/cmdline`).includes(folder)
      );
    });
}

/** Processes whose arguments name a folder, without the sandbox that waits for the next command: nothing runs in it yet. */
export function runningWith(folder: string): readonly number[] {
  const waiting = new Set(
    waitingShells(folder).flatMap((pid) => [pid, parentOf(pid), parentOf(parentOf(pid))]),
  );
  return processesWith(folder).filter((pid) => !waiting.has(pid));
}

/** The mount namespace of a process, as a command sees its own. Held: the kernel gives free numbers to others at once. */
export function holdMounts(pid: number): { readonly name: string; readonly release: () => void } {
  const path = `/proc/${pid}/ns/mnt`;
  const held = openSync(path, 'r');
  return { name: readlinkSync(path), release: () => closeSync(held) };
}

export function isStopped(pid: number): boolean {
  return /^State:\s+T/m.test(read(`/proc/${pid}/status`));
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)$/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // It has ended.
    return '';
  }
}
