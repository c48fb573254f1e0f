import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { appendFile, lstat, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Result } from '../../domain/result.js';
import { settingsTemplate } from '../../infrastructure/config/settings-template.js';
import { type InitProfile, policyTemplate } from '../../infrastructure/policy/policy-templates.js';
import { hasErrno } from '../../infrastructure/state/errno.js';
import { readForeignFile } from '../../infrastructure/state/foreign-file.js';
import type { InitFile, WrittenFile } from '../../presentation/cli/init-command.js';
import { POLICY_NAMES, SETTINGS_NAMES } from '../configuration/configuration-files.js';

const MAX_IGNORE_BYTES = 1024 * 1024;

/** What `castellan init` writes into a workspace. */
export function initFiles(workspace: string, profile: InitProfile): readonly InitFile[] {
  return [
    fileAt(join(workspace, POLICY_NAMES[0]), policyTemplate(profile)),
    fileAt(join(workspace, SETTINGS_NAMES[0]), settingsTemplate()),
  ];
}

const STATE_ENTRY = '.castellan/';

/** Only where there is a .gitignore that does not have it yet: a folder without one may not be a repository. */
export async function ignoreState(workspace: string): Promise<string | undefined> {
  const path = join(workspace, '.gitignore');
  const read = await readForeignFile(path, { maxBytes: MAX_IGNORE_BYTES, links: 'nowhere' });
  if (read.kind !== 'bytes') return undefined;
  const text = read.bytes.toString('utf8');
  if (/^\/?\.castellan\/?\s*$/m.test(text)) return undefined;
  const gap = text === '' || text.endsWith('\n') ? '' : '\n';
  try {
    await appendFile(path, `${gap}${STATE_ENTRY}\n`);
    return `${path}: ${STATE_ENTRY} added, the flags of this project on this machine.`;
  } catch (error) {
    return `${path} could not be changed (${reasonOf(error)}): add ${STATE_ENTRY} to it.`;
  }
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
