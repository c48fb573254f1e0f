import { randomBytes } from 'node:crypto';
import { lstat, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { settingsTemplate } from '../infrastructure/config/settings-template.js';
import { type InitProfile, policyTemplate } from '../infrastructure/policy/policy-templates.js';
import type { InitFile } from '../presentation/cli/init-command.js';
import { POLICY_NAMES, SETTINGS_NAMES } from './configuration-files.js';

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
    content,
    isThere: () =>
      lstat(path).then(
        () => true,
        (error: unknown) =>
          error instanceof Error && 'code' in error && error.code === 'ENOENT'
            ? false
            : Promise.reject(error),
      ),
    write: (text) => replaceFile(path, text),
  };
}

async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  try {
    await writeFile(draft, text, { flag: 'wx' });
    await rename(draft, path);
  } catch (error) {
    await unlink(draft).catch(() => undefined);
    throw error;
  }
}
