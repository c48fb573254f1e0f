import { join, resolve } from 'node:path';
import type {
  CommandRequest,
  GitSettingsChange,
} from '../../../../application/ports/command/command-runner.js';
import { entriesOf, isHarmless } from '../config-verdict.js';
import type { DoorScope } from '../door-watch.js';
import { entriesIn, look, readRegularFile } from '../git-files.js';
import { type GitPlace, ownPlaces, placesOf } from '../git-place.js';
import { entryFor } from '../repository-head.js';
import { CommandTurns } from './command-turns.js';
import type { SettingsFile } from './open-settings.js';

/**
 * Keys that run nothing in such a line: its git has no editor, no pager and no aliases, and takes names alone from
 * `core.excludesFile`, which the home of commands sets.
 */
const IDLE =
  /^(core\.(editor|pager|askpass|excludesfile)|sequence\.editor|(pager|alias|difftool|mergetool|gui|http|url)\..*|(diff|merge)\.(gui)?tool|filter\.lfs\..*)$/s;
const USER_FILES = ['.gitconfig', '.config/git/config'];
const NAMES = ['config', 'config.worktree'];

export interface SettingsTurn {
  /** The configurations that are open to this command. */
  readonly files: readonly SettingsFile[];
  /** To be called when nothing of the command is left. */
  leave(): void;
}

/** Which configurations a command of git may change, one such command at a time. */
export class SettingsChanges {
  readonly #turns = new CommandTurns();

  /** `home`: the one that commands have. */
  constructor(private readonly place: { readonly workspace: string; readonly home: string }) {}

  openable(
    { gitSettings: change, policy }: Pick<CommandRequest, 'gitSettings' | 'policy'>,
    scope: DoorScope | undefined,
    cwd: string,
  ): readonly SettingsFile[] {
    if (change === undefined || scope === undefined) return [];
    const files = openableSettings(change, scope, { ...this.place, cwd });
    return files.filter(({ path }) => !policy.preserves(path));
  }

  /** Waits while another command changes settings. Where others run, the files stay closed. */
  async enter(
    files: readonly SettingsFile[],
    close: (paths: readonly string[]) => void,
  ): Promise<SettingsTurn> {
    const { isAlone, leave } = await this.#turns.enter(files.length > 0);
    if (!isAlone) close(files.map(({ path }) => path));
    return { files: isAlone ? files : [], leave };
  }
}

function openableSettings(
  { runsNothingElse, folders }: GitSettingsChange,
  scope: DoorScope,
  { workspace, cwd, home }: { readonly workspace: string; readonly cwd: string; readonly home: string },
): readonly SettingsFile[] {
  const places = new Map<string, GitPlace>();
  for (const folder of folders) {
    const entry = entryFor(resolve(cwd, folder), scope.entries);
    if (entry === undefined) return [];
    const found =
      entry === join(workspace, '.git')
        ? ownPlaces(workspace, scope.mounted)
        : placesOf(entry, scope.mounted, scope.roots);
    for (const place of found) places.set(place.folder, place);
  }
  const all = [...places.values()];
  if (!runsNothingElse && !all.every((place) => runsNothing(place, scope, home))) return [];
  return all.flatMap(({ folder, isOwn }) =>
    NAMES.map((name) => join(folder, name))
      .filter((path) => look(path)?.isFile())
      .map((path) => ({ path, folder, roots: isOwn ? [] : scope.roots })),
  );
}

/** Neither hooks nor a program that the configuration names: while git runs, nothing else does. */
function runsNothing({ folder }: GitPlace, { roots }: DoorScope, home: string): boolean {
  const files = [...NAMES.map((name) => join(folder, name)), ...USER_FILES.map((name) => join(home, name))];
  const hooks = entriesIn(join(folder, 'hooks')).filter(({ name }) => !name.endsWith('.sample'));
  return hooks.length === 0 && files.every((path) => isIdle(readRegularFile(path) ?? '', folder, roots));
}

function isIdle(text: string, folder: string, roots: readonly string[]): boolean {
  const entries = entriesOf(text);
  return entries?.every(([key, value]) => IDLE.test(key) || isHarmless(key, value, folder, roots)) ?? false;
}
