import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A file without a name that is written once, by the server, and read by the shell at one gate. */
export interface GateScriptFile {
  /** For the child, which cannot write through it. */
  readonly readable: number;
  write(text: string): void;
  close(): void;
}

/** Opens what every gate needs anew: descriptors of one opening would share their position. */
export interface GateFiles {
  /** The system call filter. */
  readonly openFilter: () => number;
  readonly openScript: () => GateScriptFile;
}

let files = 0;

export function openGateScript(stateFolder: string): GateScriptFile {
  files += 1;
  const path = join(stateFolder, `script-${process.pid}-${files}`);
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
