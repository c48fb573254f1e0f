import { resolve } from 'node:path';
import { formatProblem } from '../../domain/file-problem.js';
import { Result } from '../../domain/result.js';
import { loadSettings } from '../../infrastructure/config/load-settings.js';
import { MAX_POLICY_BYTES } from '../../infrastructure/config/yaml-tree.js';
import { unifiedDiff } from '../../infrastructure/file/text/unified-diff.js';
import { FileTrustStore } from '../../infrastructure/policy/file-trust-store.js';
import { readForeignFile } from '../../infrastructure/state/foreign-file.js';
import type { GlobalOptions } from '../../presentation/cli/program/command-actions.js';
import type { TrustedFile, TrustSurroundings } from '../../presentation/cli/trust-command.js';
import { builtinTools } from '../../presentation/tools/builtin-tools.js';
import { findPlaces } from '../configuration/configuration-places.js';
import { checkPolicy, filesToTrust } from './check-policy.js';

/** `file` is the one that was named on the line. */
export function trustSurroundings(
  where: GlobalOptions,
  file: string | undefined,
  stateFolder: string,
): TrustSurroundings {
  const store = new FileTrustStore(stateFolder);
  return {
    files: async () => (file === undefined ? filesToTrust(where) : [resolve(file)]),
    list: async () => {
      const listed = await store.list();
      if (!listed.success) return listed;
      return Result.ok(await Promise.all(listed.value.map(([path, hash]) => stateOf(store, path, hash))));
    },
    diff: async (path) => {
      const before = await store.accepted(path);
      const now = await bytesOf(path);
      return before === undefined || now === undefined
        ? undefined
        : unifiedDiff(path, before, now.toString('utf8'));
    },
    problemOf: (path) => problemOf(path, where),
    trust: (...paths) => store.trust(...paths),
    revoke: (path) => store.revoke(path),
  };
}

/** undefined: it is gone, or became something that is no policy and no settings. */
async function bytesOf(path: string): Promise<Buffer | undefined> {
  const read = await readForeignFile(path, { maxBytes: MAX_POLICY_BYTES, links: 'anywhere' });
  return read.kind === 'bytes' ? read.bytes : undefined;
}

async function stateOf(store: FileTrustStore, path: string, hash: string): Promise<TrustedFile> {
  const bytes = await bytesOf(path);
  if (bytes === undefined) return { path, hash, state: 'gone' };
  const standing = await store.standing(path, bytes);
  return { path, hash, state: standing.success && standing.value === 'trusted' ? 'trusted' : 'changed' };
}

/** A file that holds neither can be trusted by mistake only: it would stay in the list and mean nothing. */
async function problemOf(path: string, where: GlobalOptions): Promise<string | undefined> {
  const read = await readForeignFile(path, { maxBytes: MAX_POLICY_BYTES, links: 'anywhere' });
  // The store says what is wrong with a file that cannot be read.
  if (read.kind !== 'bytes') return undefined;
  const { workspace } = findPlaces(where);
  const settings = await loadSettings({
    file: path,
    bytes: read.bytes,
    workspace,
    trusted: true,
    tools: builtinTools,
  });
  if (settings.success) return undefined;
  const { problems } = await checkPolicy({ ...where, policy: path });
  if (problems.length === 0) return undefined;
  const lines = /castellan[^/]*\.ya?ml$/.test(path) ? settings.error : problems.map(formatProblem).join('\n');
  return `${lines}\n${path} is neither a policy nor settings that can be used. Nothing was trusted.`;
}
