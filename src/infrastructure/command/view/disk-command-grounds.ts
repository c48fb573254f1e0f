import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type {
  CommandGround,
  CommandGrounds,
  CommandGuard,
  GroundRequest,
} from '../../../application/ports/command/command-ground.js';
import type { SandboxView } from '../../../application/ports/command/command-sandbox.js';
import { normalisePath } from '../../../domain/permission/path/normal-path.js';
import { SYSTEM_FOLDERS } from '../../../domain/permission/path/system-folders.js';
import { Result } from '../../../domain/result.js';
import {
  invalidInput,
  permissionDenied,
  type ToolError,
  toolFailure,
} from '../../../domain/tool/tool-error.js';
import { type CaredFor, GitCare } from '../git/git-care.js';
import { type DoorScope, GitDoors } from '../git/git-doors.js';
import { isWithin } from '../program/toolchains.js';
import { ChangeTracker } from '../tree/change-tracker.js';
import type { RememberedPlaces } from '../tree/remembered-places.js';
import { ServerPlaces } from '../tree/server-places.js';
import { TreePictures } from '../tree/tree-pictures.js';
import { TreeView } from '../tree/tree-view.js';
import { realFolders, type ViewFolders } from './command-view.js';
import { globNames } from './glob-names.js';
import { type CommandRules, commandRules } from './policy-rules.js';
import { openPrivateHome, privateHomeOf } from './private-home.js';
import { Quarantine } from './quarantine.js';

export interface CommandGroundOptions {
  readonly workspace: string;
  readonly stateFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly realHome: string;
  readonly places: RememberedPlaces;
}

const SHELLS = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash', '/run/current-system/sw/bin/bash'];
const TMP = '/tmp';

/** The port over the machine's own disk. */
export class DiskCommandGrounds implements CommandGrounds {
  readonly environment: CommandGroundOptions['environment'];
  readonly #pictures: TreePictures;
  readonly #quarantine: Quarantine;
  readonly #serverPlaces = new WeakMap<object, ServerPlaces>();
  readonly #home: string;
  readonly #shell = SHELLS.find((path) => existsSync(path));
  readonly #doors: GitDoors;
  readonly #git: GitCare;

  constructor(private readonly options: CommandGroundOptions) {
    const { stateFolder, workspace } = options;
    this.environment = options.environment;
    this.#home = privateHomeOf(stateFolder, workspace);
    this.#quarantine = new Quarantine(join(stateFolder, 'quarantine'));
    this.#doors = new GitDoors(workspace, stateFolder);
    this.#git = new GitCare(workspace, stateFolder);
    const tracker = new ChangeTracker(join(stateFolder, 'watch'));
    this.#pictures = new TreePictures(tracker, options.places, this.#git.tracked);
  }

  async prepare(request: GroundRequest): Promise<Result<CommandGround, ToolError>> {
    const { workspace, realHome } = this.options;
    const home = openPrivateHome(this.#home, realHome);
    const { policy, tool, paths, profile } = request;
    const rules = commandRules(policy, tool, paths, profile?.hide ?? []);
    const folders = profile && realFolders(profile, workspace);
    const open = folders === undefined ? [workspace] : [...folders.read, ...folders.write, home];
    const cwd = this.#cwd(request, open, home);
    if (!cwd.success) return cwd;
    const isOpen = (folder: string): boolean =>
      folders === undefined || [...open, ...SYSTEM_FOLDERS].some((root) => isWithin(folder, root));
    const planned = folders && this.#tree(folders, rules, request);
    const tree = planned?.tree;
    const view = tree === undefined ? Result.ok(NOTHING) : await tree.plan();
    if (!view.success) return view;
    // What was found now must outlive the server, which may be killed while the command moves it.
    this.options.places.save();
    const cared = planned && (await this.#care(planned, view.value, request));
    if (cared?.success === false) return cared;
    return Result.ok({
      view: cared?.value.view ?? view.value,
      cwd: cwd.value,
      home,
      shell: this.#shell,
      expand: (pattern, directory) =>
        globNames(pattern, normalisePath(directory, cwd.value), {
          isOpen: (folder) => isOpen(folder) && !rules.isHidden(folder),
          isHidden: (path) => rules.isHidden(path) && tree?.isShown(path) !== true,
        }),
      ...(tree && { currentView: () => tree.current(), onLive: (command) => tree.begin(command) }),
      guard: (end) => (planned && cared ? this.#guard(planned, cared.value, end) : NO_GUARD),
    });
  }

  close(): Promise<void> {
    this.#doors.close();
    return this.#pictures.close();
  }

  #tree(folders: ViewFolders, rules: CommandRules, request: GroundRequest): PlannedTree {
    const { policy, tool, profile, tidiesWorktrees } = request;
    const { workspace } = this.options;
    const { write } = this.#doors.ownRepository();
    const isWritable = folders.write.some((root) => isWithin(workspace, root));
    const places = this.#serverPlaces.get(policy) ?? new ServerPlaces(rules.isServerOwned, this.#quarantine);
    this.#serverPlaces.set(policy, places);
    const kept = this.#pictures.of(
      [...folders.read, ...folders.write, ...write],
      rules,
      { key: policy, name: [tool, ...(profile?.hide ?? [])].join('\0') },
      (news) => places.clear(news),
    );
    let scope: DoorScope | undefined;
    let doorPaths: readonly string[] = [];
    const tree = new TreeView({
      ...kept,
      rules,
      places,
      quarantine: this.#quarantine,
      tracked: this.#git.tracked,
      folders: {
        read: isWritable ? folders.read : [...folders.read, ...write],
        write: isWritable ? [...folders.write, ...write] : folders.write,
      },
      protectedIn: (repositories) => {
        const doors = this.#doors.prepare(folders.write, repositories, tidiesWorktrees);
        scope = doors.scope;
        doorPaths = doors.protection.readOnlyInside;
        return [
          ...doors.protection.readOnlyInside,
          ...folders.write.flatMap((root) => rules.couldAppear(root)).filter(isNoGit),
        ];
      },
      shown: (path) => relative(workspace, path) || '.',
    });
    return { tree, scope: () => scope, doors: () => doorPaths };
  }

  /** What a policy names, and what git obeys, is not git's to change either. */
  #care(
    { tree, doors }: PlannedTree,
    view: SandboxView,
    { policy, gitMayRestore }: GroundRequest,
  ): Promise<Result<CaredFor, ToolError>> {
    const isDoor = (path: string): boolean =>
      doors().some((door) => isWithin(door, path) || isWithin(path, door));
    const mayWrite = (path: string): boolean => !policy.preserves(path) && !isDoor(path);
    return this.#git.prepare(tree, view, gitMayRestore ? mayWrite : undefined);
  }

  #guard({ tree, scope }: PlannedTree, cared: CaredFor, end: (why: string) => void): CommandGuard {
    const watched = scope();
    const closeDoors = watched && this.#doors.begin(watched, end);
    return {
      close: async () => {
        const git = await cared.close();
        const all = await tree.appeared();
        const repositories = all.filter(isRepository);
        const findings = closeDoors?.(repositories) ?? [];
        return {
          // A repository that was found harmless is nothing to tell.
          appeared: all.filter((path) => !repositories.includes(path)),
          quarantined: tree.quarantined(),
          findings: findings.map(({ text }) => text),
          ...git,
        };
      },
    };
  }

  #cwd({ cwd, paths }: GroundRequest, open: readonly string[], home: string): Result<string, ToolError> {
    const { workspace } = this.options;
    if (cwd === undefined) {
      return Result.ok(open.some((root) => isWithin(workspace, root)) ? workspace : home);
    }
    const real = cwd === TMP ? TMP : folderAt(cwd);
    if (real === undefined) {
      const problem = { parameter_name: 'cwd', issue: 'cwd is no folder', expected: 'a folder that exists' };
      return toolFailure(
        invalidInput([{ ...problem, received: cwd, hint: 'Leave it out to work in the workspace.' }]),
      );
    }
    if (real === TMP || paths.canRead(real) || open.some((root) => isWithin(real, root))) {
      return Result.ok(real);
    }
    return toolFailure(
      permissionDenied(
        'NO_ALLOW',
        'Commands do not see this folder (cwd). Work in the workspace, or in a folder that the policy shows to commands.',
      ),
    );
  }
}

/** The tree of one command; the repositories in it that are watched over are known once it was planned. */
interface PlannedTree {
  readonly tree: TreeView;
  readonly scope: () => DoorScope | undefined;
  /** What git obeys, mounted read-only. */
  readonly doors: () => readonly string[];
}

const NO_GUARD: CommandGuard = {
  close: async () => ({ appeared: [], quarantined: [], findings: [] }),
};

const NOTHING: SandboxView = { read: [], write: [], hide: [], readOnlyInside: [] };

function folderAt(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    // Missing or closed to us: no folder for a command either.
    return undefined;
  }
}

function isRepository(path: string): boolean {
  return basename(path) === '.git' || existsSync(join(path, 'HEAD'));
}

// Repositories have finer rules, so that commits work.
function isNoGit(path: string): boolean {
  return !path.endsWith('/.git');
}
