import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Where a replacement is prepared; `nonce` names whoever prepares it. */
export function draftOf(path: string, nonce: string): string {
  return `${path}.${nonce}.tmp`;
}

/** Replaces a file in one step: a reader sees all of the old text or all of the new one, whoever is killed. */
export async function replaceFile(
  path: string,
  text: string,
  nonce: string,
  /** Throws where the replacement must not be made after all. */
  check: () => Promise<void> = async () => undefined,
): Promise<void> {
  const draft = draftOf(path, nonce);
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(text);
      // Before the rename, or a power cut could leave the new name with nothing in it.
      await file.datasync();
    } finally {
      await file.close();
    }
    await check();
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** The same for what a power cut may take: it is found anew. */
export function replaceFileSync(path: string, text: string | Uint8Array): void {
  const draft = draftOf(path, `${process.pid}`);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
