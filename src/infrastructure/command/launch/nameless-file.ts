import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A file without a name that is written by the server alone, and read by a child through a descriptor. */
export interface NamelessFile {
  /** For the child, which cannot write through it. */
  readonly readable: number;
  write(text: string): void;
  close(): void;
}

let files = 0;

export function openNamelessFile(stateFolder: string): NamelessFile {
  files += 1;
  const path = join(stateFolder, `file-${process.pid}-${files}`);
  // It can only be reached through a descriptor, by whoever the command is.
  const written = openSync(path, 'wx', 0o444);
  try {
    const readable = openSync(path, 'r');
    return {
      readable,
      write: (text) => writeWhole(written, text),
      close: () => {
        closeSync(readable);
        closeSync(written);
      },
    };
  } catch (error) {
    closeSync(written);
    throw error;
  } finally {
    unlinkSync(path);
  }
}

function writeWhole(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; ) from += writeSync(descriptor, bytes, from);
}
