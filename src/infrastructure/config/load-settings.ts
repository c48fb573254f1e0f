import { isAbsolute, relative, resolve } from 'node:path';
import { type FileProblem, formatProblem } from '../../domain/file-problem.js';
import { Result } from '../../domain/result.js';
import { lintSettings, type SettingsSubject } from './lint-settings.js';
import { readYamlTree } from './read-yaml-tree.js';
import { DEFAULT_SETTINGS, type Settings } from './settings.js';
import { settingsFile } from './settings-file-schema.js';
import { Reading } from './yaml-shape.js';
import { member, type YamlTree } from './yaml-tree.js';

export interface SettingsRequest extends SettingsSubject {
  readonly bytes: Uint8Array;
  /** False: somebody else's file. It may not say where to listen, what to connect to, or read outside. */
  readonly trusted: boolean;
}

export interface LoadedSettings {
  readonly settings: Settings;
  /** What loads, and names nothing. */
  readonly warnings: readonly FileProblem[];
}

/** Every problem of the file at once, a line each with its place. */
export async function loadSettings(request: SettingsRequest): Promise<Result<LoadedSettings>> {
  const problems: FileProblem[] = [];
  const reading = new Reading(request.file, problems);
  const tree = await readYamlTree(request.file, request.bytes, problems);
  const settings = tree && settingsFile.read(tree, reading);
  if (tree !== undefined) checkFolders(tree, request, reading);
  if (tree === undefined || settings === undefined || problems.length > 0) {
    return Result.failure(problems.map(formatProblem).join('\n'), 'InvalidSettings');
  }
  return Result.ok({
    settings: request.trusted ? settings : withoutConnections(settings),
    warnings: lintSettings(tree, request),
  });
}

/** What a stranger's file says about the network, and about who is asked and how, is not heard. */
function withoutConnections(settings: Settings): Settings {
  const { http, redis, audit, consent } = DEFAULT_SETTINGS;
  return { ...settings, http, redis, audit, consent };
}

function checkFolders(tree: YamlTree, { workspace, trusted }: SettingsRequest, reading: Reading): void {
  if (trusted) return;
  const owners = [...members(member(tree, 'categories')), member(tree, 'prompts')];
  for (const owner of owners) {
    const dir = member(owner, 'dir');
    if (dir?.kind === 'scalar' && typeof dir.value === 'string' && isOutside(dir.value, workspace)) {
      reading.report(
        dir.at,
        'A folder outside the workspace is refused in a file that is not trusted.',
        'Move it inside, or run `castellan trust` if the file is your own.',
      );
    }
  }
}

function isOutside(folder: string, workspace: string): boolean {
  const path = relative(workspace, resolve(workspace, folder));
  return path === '..' || path.startsWith('../') || isAbsolute(path);
}

function members(tree: YamlTree | undefined): readonly YamlTree[] {
  return tree?.kind === 'map' ? tree.entries.map(({ value }) => value) : [];
}
