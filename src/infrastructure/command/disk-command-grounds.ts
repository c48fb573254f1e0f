import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type {
  CommandGround,
  CommandGrounds,
  CommandGuard,
  GroundRequest,
} from '../../application/ports/command-ground.js';
import type { SandboxView } from '../../application/ports/command-sandbox.js';
import { normalisePath } from '../../domain/permission/normal-path.js';
import { Result } from '../../domain/result.js';
import { invalidInput, permissionDenied, type ToolError, toolFailure } from '../../domain/tool/tool-error.js';
import { isWithin } from '../sandbox/toolchains.js';
import { realFolders, type ViewFolders } from './command-view.js';
import { BlobNames } from './git/blob-names.js';
import { type DoorScope, GitDoors } from './git/git-doors.js';
import { GuardedFiles, type GuardedStates } from './git/guarded-files.js';
import { ObjectReader } from './git/object-reader.js';
import { TrackedSecrets } from './git/tracked-secrets.js';
import { globNames } from './glob-names.js';
import { type CommandRules, commandRules } from './policy-rules.js';
import { openPrivateHome, privateHomeOf } from './private-home.js';
import { Quarantine } from './quarantine.js';
import { ChangeTracker } from './tree/change-tracker.js';
import type { RememberedPlaces } from './tree/remembered-places.js';
import { ServerPlaces } from './tree/server-places.js';
import { TreePictures } from './tree/tree-pictures.js';
import { TreeView } from './tree/tree-view.js';

export interface CommandGroundOptions {
  readonly workspace: string;
  readonly stateFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly realHome: string;
  readonly places: RememberedPlaces;
}

const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/nix/store', '/gnu/store'];
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
  readonly #tracked: TrackedSecrets;
  readonly #guarded: GuardedFiles;

  constructor(private readonly options: CommandGroundOptions) {
    const { stateFolder, workspace } = options;
    this.environment = options.environment;
    this.#home = privateHomeOf(stateFolder, workspace);
    this.#quarantine = new Quarantine(join(stateFolder, 'quarantine'));
    this.#doors = new GitDoors(workspace, stateFolder);
    const [reader, names] = [new ObjectReader(join(stateFolder, 'git-reader')), new BlobNames()];
    this.#tracked = new TrackedSecrets(reader, names);
    this.#guarded = new GuardedFiles(reader, names);
    const tracker = new ChangeTracker(join(stateFolder, 'watch'));
    this.#pictures = new TreePictures(tracker, options.places, this.#tracked);
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
      folders === undefined || [...open, ...SYSTEM].some((root) => isWithin(folder, root));
    const planned = folders && this.#tree(folders, rules, request);
    const tree = planned?.tree;
    const view = tree === undefined ? Result.ok(NOTHING) : await tree.plan();
    if (!view.success) return view;
    const states = await this.#record(view.value, tree);
    return Result.ok({
      view: view.value,
      cwd: cwd.value,
      home,
      shell: this.#shell,
      expand: (pattern, directory) =>
        globNames(pattern, normalisePath(directory, cwd.value), {
          isOpen: (folder) => isOpen(folder) && !rules.isHidden(folder),
          isHidden: (path) => rules.isHidden(path) && tree?.isShown(path) !== true,
        }),
      ...(tree && { currentView: () => tree.current(), onLive: (command) => tree.begin(command) }),
      guard: (end) => (planned === undefined ? NO_GUARD : this.#guard(planned, states, end)),
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
    const tree = new TreeView({
      ...kept,
      rules,
      places,
      quarantine: this.#quarantine,
      tracked: this.#tracked,
      folders: {
        read: isWritable ? folders.read : [...folders.read, ...write],
        write: isWritable ? [...folders.write, ...write] : folders.write,
      },
      protectedIn: (repositories) => {
        const doors = this.#doors.prepare(folders.write, repositories, tidiesWorktrees);
        scope = doors.scope;
        return [
          ...doors.protection.readOnlyInside,
          ...folders.write.flatMap((root) => rules.couldAppear(root)).filter(isNoGit),
        ];
      },
      shown: (path) => relative(workspace, path) || '.',
    });
    return { tree, scope: () => scope };
  }

  /** Only what lies in folders that commands may write is git's to change. */
  #record(
    { hide, readOnlyInside, read, write }: SandboxView,
    tree: TreeView | undefined,
  ): Promise<GuardedStates> {
    const guarded = [...hide, ...readOnlyInside].filter((path) => write.some((root) => isWithin(path, root)));
    const seen = { entries: tree?.repositories() ?? [], folders: [...read, ...write] };
    return this.#guarded.record(guarded, seen);
  }

  #guard({ tree, scope }: PlannedTree, states: GuardedStates, end: (why: string) => void): CommandGuard {
    const doors = scope();
    const closeDoors = doors && this.#doors.begin(doors, end);
    return {
      close: async () => {
        const all = await tree.appeared();
        const repositories = all.filter(isRepository);
        const findings = closeDoors?.(repositories) ?? [];
        const { files, head } = await this.#guarded.compare(states);
        return {
          // A repository that was found harmless is nothing to tell.
          appeared: all.filter((path) => !repositories.includes(path)),
          quarantined: tree.quarantined(),
          findings: findings.map(({ text }) => text),
          leftBehind: files.map(({ path, moved }) => ({
            path: relative(this.options.workspace, path),
            moved,
          })),
          ...(head !== undefined && { movedHead: head }),
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
