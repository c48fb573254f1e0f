import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { TrustStore } from '../../application/ports/permission/trust-store.js';
import { Result } from '../../domain/result.js';
import { MAX_POLICY_BYTES } from '../../infrastructure/config/yaml-tree.js';
import { readForeignFile } from '../../infrastructure/state/foreign-file.js';

/** A file of the configuration and whose word it is. */
export interface ConfigurationFile {
  readonly path: string;
  /** Named by a flag or a variable: the user's own. Found: somebody else's until it is trusted. */
  readonly named: boolean;
}

/** The file named, else the first that lies in the workspace under one of its names. */
export function locateFile(
  named: string | undefined,
  workspace: string,
  candidates: readonly string[],
): ConfigurationFile | undefined {
  if (named !== undefined && named !== '') return { path: resolve(named), named: true };
  const found = candidates.map((name) => join(workspace, name)).find((path) => existsSync(path));
  return found === undefined ? undefined : { path: found, named: false };
}

export const SETTINGS_NAMES = ['castellan.yaml', 'config/castellan.yaml'] as const;
export const POLICY_NAMES = ['permissions.yaml', 'config/permissions.yaml'] as const;

/** With a folder, only what really lies inside it. */
export async function readConfigurationFile(
  { path }: ConfigurationFile,
  inside?: string,
): Promise<Result<Uint8Array>> {
  const links = inside === undefined ? 'anywhere' : { inside };
  const file = await readForeignFile(path, { maxBytes: MAX_POLICY_BYTES, links });
  if (file.kind === 'bytes') return Result.ok(file.bytes);
  const problem =
    file.kind === 'missing'
      ? 'There is no such file. `castellan init` writes one to begin with.'
      : `The file is ${file.tooLarge ? 'larger than 256 KiB' : `not read: ${file.why}`}.`;
  return Result.failure(`${path}:1:1: ${problem}`, 'UnreadableConfiguration');
}

/** A damaged trust store is an error, never a file that suddenly is a stranger's. */
export async function isTrustedFile(
  file: ConfigurationFile,
  bytes: Uint8Array,
  trust: TrustStore,
): Promise<Result<boolean>> {
  return file.named ? Result.ok(true) : trust.isTrusted(file.path, bytes);
}
