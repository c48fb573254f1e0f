import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readForeignFileSync, strictUtf8 } from '../../state/foreign-file.js';

const TEXT =
  '# Hidden from commands: the policy and the settings of Castellan, which keeps the tools of this workspace.\n';

/**
 * The file that commands read in the place of the policy and the settings in force. They lie at the root of a workspace
 * because Castellan is used there: if they could not be opened, every grep -r, tar and cp -r of a whole project would
 * end as a failure. undefined: it cannot be made, and they are hidden as secrets are.
 */
export function standInFile(stateFolder: string): string | undefined {
  const folder = join(stateFolder, 'stand-in');
  const file = join(folder, 'server-file');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (contentOf(file) !== TEXT) {
      const fresh = `${file}.${process.pid}`;
      writeFileSync(fresh, TEXT);
      // Commands are not always who the server is.
      chmodSync(fresh, 0o444);
      renameSync(fresh, file);
    }
    return file;
  } catch {
    // A state folder that cannot be written is reported by those that must write it.
    return undefined;
  }
}

/** What lies in the place of hidden files, the server's own among them. What git tracks has something of its own. */
export function withStandIn(
  standIn: string | undefined,
  serverFiles: readonly string[],
  tracked: ReadonlyMap<string, string | undefined>,
): ReadonlyMap<string, string> {
  const placeholders = new Map<string, string>();
  if (standIn !== undefined) for (const path of serverFiles) placeholders.set(path, standIn);
  for (const [path, source] of tracked) {
    if (source === undefined) placeholders.delete(path);
    else placeholders.set(path, source);
  }
  return placeholders;
}

function contentOf(file: string): string | undefined {
  const read = readForeignFileSync(file, { links: 'nowhere', maxBytes: 2 * TEXT.length });
  return read.kind === 'bytes' ? strictUtf8(read.bytes) : undefined;
}
