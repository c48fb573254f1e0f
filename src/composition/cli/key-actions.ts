import { randomBytes } from 'node:crypto';
import { chmodSync, realpathSync, statSync } from 'node:fs';
import { Result } from '../../domain/result.js';
import { hashOf } from '../../infrastructure/auth/token-file.js';
import { draftOf, replaceFile } from '../../infrastructure/state/atomic-file.js';
import {
  type KeyAddOptions,
  keyAddCommand,
  type PolicyText,
} from '../../presentation/cli/key-add-command.js';
import { processOutput } from '../../presentation/cli/output.js';
import type { GlobalOptions } from '../../presentation/cli/program/command-actions.js';
import { orThrow } from '../configuration/configuration-error.js';
import { readConfigurationFile } from '../configuration/configuration-files.js';
import { findPlaces } from '../configuration/configuration-places.js';
import { checkPolicy } from './check-policy.js';

const KEY_BYTES = 32;

export function addKey(where: GlobalOptions, name: string, options: KeyAddOptions): Promise<number> {
  const { policyFile } = findPlaces(where);
  return keyAddCommand(
    {
      make: () => {
        const key = `csk_${randomBytes(KEY_BYTES).toString('base64url')}`;
        return { key, hash: hashOf(key) };
      },
      read: async () => {
        if (policyFile === undefined) return undefined;
        const bytes = orThrow(await readConfigurationFile(policyFile));
        return { path: policyFile.path, text: Buffer.from(bytes).toString('utf8') };
      },
      replace: (policy) => replacePolicy(where, policy),
    },
    name,
    options,
    processOutput,
  );
}

/** Keeps the mode of the file and a link to it; what would not be a valid policy is not written. */
async function replacePolicy(
  where: GlobalOptions,
  { path: named, text }: PolicyText,
): Promise<Result<undefined>> {
  const path = realpathSync(named);
  const { mode } = statSync(path);
  const nonce = randomBytes(8).toString('hex');
  try {
    await replaceFile(path, text, nonce, async () => {
      const draft = draftOf(path, nonce);
      chmodSync(draft, mode & 0o777);
      const { problems } = await checkPolicy({ ...where, policy: draft });
      if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join(' '));
    });
    return Result.ok(undefined);
  } catch (error) {
    return Result.failure(error instanceof Error ? error.message : String(error), 'PolicyNotWritten');
  }
}
