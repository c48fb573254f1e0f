import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lstat, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Result } from '../../domain/result.js';
import { settingsTemplate } from '../../infrastructure/config/settings-template.js';
import { type InitProfile, policyTemplate } from '../../infrastructure/policy/policy-templates.js';
import { hasErrno } from '../../infrastructure/state/errno.js';
import type { InitFile, WrittenFile } from '../../presentation/cli/init-command.js';
import { POLICY_NAMES, SETTINGS_NAMES } from '../configuration/configuration-files.js';

/** What `castellan init` writes into a workspace. */
export function initFiles(workspace: string, profile: InitProfile): readonly InitFile[] {
  return [
    fileAt(join(workspace, POLICY_NAMES[0]), policyTemplate(profile)),
    fileAt(join(workspace, SETTINGS_NAMES[0]), settingsTemplate()),
  ];
}

function fileAt(path: string, content: string): InitFile {
  return {
    path,
    isThere: async () => (await statusOf(path)) !== undefined,
    write: () => replaceFile(path, content),
  };
}

/** Undefined where nothing is. A link is told as itself. */
function statusOf(path: string): Promise<Stats | undefined> {
  return lstat(path).catch((error: unknown) =>
    hasErrno(error, 'ENOENT') ? undefined : Promise.reject(error),
  );
}

async function replaceFile(path: string, text: string): Promise<Result<WrittenFile>> {
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  const old = `${draft}.old`;
  let away = false;
  try {
    await writeFile(draft, text, { flag: 'wx' });
    const status = await statusOf(path);
    if (status?.isDirectory()) throw new Error('a folder has its name');
    if (status !== undefined) {
      await rename(path, old);
      away = true;
    }
    await rename(draft, path);
    return Result.ok(writtenFile(path, away ? old : undefined));
  } catch (error) {
    if (away) await rename(old, path);
    // The draft may be what could not be made; why the file is missing is told below.
    await unlink(draft).catch(() => undefined);
    return Result.failure(`${path} cannot be written (${reasonOf(error)}).`, 'NotWritten');
  }
}

function writtenFile(path: string, old: string | undefined): WrittenFile {
  return {
    keep: async () => {
      // All is written and trusted by now: what may be left is the old file under a name that nobody reads.
      if (old !== undefined) await unlink(old).catch(() => undefined);
    },
    undo: async () => {
      try {
        await (old === undefined ? unlink(path) : rename(old, path));
        return Result.ok(undefined);
      } catch (error) {
        const rest = old === undefined ? '' : ` What it held is in ${old}.`;
        return Result.failure(
          `${path} could not be taken back (${reasonOf(error)}): remove it.${rest}`,
          'NotUndone',
        );
      }
    },
  };
}

/** In the words of the system, without the file that it names: that is a draft nobody knows. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/, \w+ '.*$/s, '');
}
