import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { CommandSandbox, SandboxView } from '../../../application/ports/command/command-sandbox.js';
import type {
  CommandGuard,
  CommandView,
  CommandViewFactory,
  CommandViewRequest,
} from '../../../application/ports/command/command-view.js';
import { normalisePath } from '../../../domain/permission/path/normal-path.js';
import { SYSTEM_FOLDERS } from '../../../domain/permission/path/system-folders.js';
import type { PermissionPolicy } from '../../../domain/permission/policy/permission-policy.js';
import { Result } from '../../../domain/result.js';
import type { ToolError } from '../../../domain/tool/tool-error.js';
import { Quarantine } from '../feedback/quarantine.js';
import type { Airlock } from '../git/airlock/airlock.js';
import { Airlocks } from '../git/airlock/airlocks.js';
import { isGitControl } from '../git/door-names.js';
import type { DoorWatch, PreparedDoors } from '../git/door-watch.js';
import { type CaredFor, type CareRequest, GitCare } from '../git/git-care.js';
import { GitDoors } from '../git/git-doors.js';
import { look } from '../git/git-files.js';
import { SettingsChanges } from '../git/settings/settings-changes.js';
import { isWithin } from '../program/toolchains.js';
import { SessionTmp } from '../session/session-tmp.js';
import { ChangeTracker } from '../workspace/change-tracker.js';
import { CommandTree } from '../workspace/command-tree.js';
import type { DeniedObjectStore } from '../workspace/denied-object-store.js';
import { ReservedPaths } from '../workspace/reserved-paths.js';
import { WatchedTreeCache } from '../workspace/watched-tree-cache.js';
import { type CommandWatchers, guardCommand, type PlannedTree } from './command-guard.js';
import { isNoGit } from './folder-kinds.js';
import { globNames } from './glob-names.js';
import { type CommandRules, commandRules } from './policy-rules.js';
import { openPrivateHome, privateHomeOf } from './private-home.js';
import { realFolders, type ViewFolders } from './real-folders.js';
import { startFolder } from './start-folder.js';

export interface CommandViewOptions {
  readonly workspace: string;
  readonly stateFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly realHome: string;
  readonly places: DeniedObjectStore;
  /** In which git's data is carried. */
  readonly sandbox: Pick<CommandSandbox, 'run' | 'kind'>;
}

const SHELLS = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash', '/run/current-system/sw/bin/bash'];

/** The port over the machine's own disk. */
export class DiskCommandViewFactory implements CommandViewFactory {
  readonly environment: CommandViewOptions['environment'];
  readonly #pictures: WatchedTreeCache;
  readonly #quarantine: Quarantine;
  readonly #serverPlaces = new WeakMap<object, ReservedPaths>();
  readonly #home: string;
  readonly #shell = SHELLS.find((path) => existsSync(path));
  readonly #doors: GitDoors;
  readonly #git: GitCare;
  readonly #tmp: SessionTmp;
  readonly #settings: SettingsChanges;
  readonly #airlocks: Airlocks;

  constructor(private readonly options: CommandViewOptions) {
    const { stateFolder, workspace } = options;
    this.environment = options.environment;
    this.#home = privateHomeOf(stateFolder, workspace);
    this.#quarantine = new Quarantine(join(stateFolder, 'quarantine'));
    this.#doors = new GitDoors(workspace, stateFolder);
    this.#tmp = new SessionTmp(join(stateFolder, 'tmp'));
    this.#git = new GitCare(workspace, stateFolder);
    this.#settings = new SettingsChanges({ workspace, home: this.#home });
    const tracker = new ChangeTracker(join(stateFolder, 'watch'));
    this.#airlocks = new Airlocks({ workspace, stateFolder, sandbox: options.sandbox, tracker });
    this.#pictures = new WatchedTreeCache(tracker, options.places, this.#git.tracked, isGitControl);
  }

  async prepare(request: CommandViewRequest): Promise<Result<CommandView, ToolError>> {
    const { workspace, realHome } = this.options;
    const { policy, tool, paths, profile } = request;
    const home = openPrivateHome(this.#home, realHome, () => ownFilesIn(workspace, policy.patterns(tool)));
    const rules = commandRules(policy, tool, paths, profile?.hide ?? [], workspace);
    const folders = profile && realFolders(profile, workspace);
    const open = folders === undefined ? [workspace] : [...folders.read, ...folders.write, home];
    const cwd = startFolder(request, { workspace, open, home });
    if (!cwd.success) return cwd;
    const isOpen = (folder: string): boolean =>
      folders === undefined || [...open, ...SYSTEM_FOLDERS].some((root) => isWithin(folder, root));
    const { airlock, mayMake } = this.#repository(folders);
    const planned = folders && this.#tree(folders, rules, request, airlock);
    const { tree } = planned ?? {};
    const view = tree === undefined ? Result.ok(NOTHING) : await tree.plan();
    if (!view.success) return view;
    // What was found now must outlive the server, which may be killed while the command moves it.
    this.options.places.save();
    const carried = (await airlock?.before()) ?? [];
    const settings = airlock ? [] : this.#settings.openable(request, planned?.doors()?.scope, cwd.value);
    const cared = planned && (await this.#care(planned, view.value, request, { settings, cwd: cwd.value }));
    if (cared?.success === false) return cared;
    return Result.ok({
      view: cared?.value.view ?? view.value,
      cwd: cwd.value,
      home,
      ...(folders && request.session !== undefined && { tmp: this.#tmp.of(request.session) }),
      shell: this.#shell,
      ...(cared && { gitSettings: cared.value.gitSettings }),
      expand: (pattern, directory) =>
        globNames(pattern, normalisePath(directory, cwd.value), {
          isOpen: (folder) => isOpen(folder) && !rules.isHidden(folder),
          isHidden: (path) => rules.isHidden(path) && tree?.isShown(path) !== true,
        }),
      ...(tree && { currentView: () => tree.current(), onLive: (command) => tree.begin(command) }),
      guard: async (end) =>
        planned && cared
          ? guardCommand(
              { ...planned, ...cared.value, settings, airlock, carried, mayMake },
              this.#watchers,
              end,
            )
          : NO_GUARD,
    });
  }

  endSession(session: string): Promise<void> {
    return this.#tmp.remove(session);
  }

  /** The workspace's own repository; without one commands may make it, where they may write. */
  #repository(folders: ViewFolders | undefined): {
    readonly airlock: Airlock | undefined;
    readonly mayMake: boolean;
  } {
    const { workspace } = this.options;
    const isWritable = folders?.write.some((root) => isWithin(workspace, root)) === true;
    return {
      airlock: isWritable ? this.#airlocks.own() : undefined,
      mayMake: isWritable && look(join(workspace, '.git')) === undefined,
    };
  }

  get #watchers(): CommandWatchers {
    const { workspace } = this.options;
    return { workspace, doors: this.#doors, settings: this.#settings, airlocks: this.#airlocks };
  }

  async close(): Promise<void> {
    this.#doors.close();
    await this.#airlocks.close();
    await this.#tmp.close();
    await this.#pictures.close();
  }

  #tree(
    folders: ViewFolders,
    rules: CommandRules,
    request: CommandViewRequest,
    airlock: Airlock | undefined,
  ): PlannedTree {
    const { policy, tool, profile, tidiesWorktrees } = request;
    const { workspace } = this.options;
    const write = this.#doors.ownFolders();
    const isWritable = folders.write.some((root) => isWithin(workspace, root));
    const places = this.#serverPlaces.get(policy) ?? new ReservedPaths(rules.isServerOwned, this.#quarantine);
    this.#serverPlaces.set(policy, places);
    const kept = this.#pictures.of(
      [...folders.read, ...folders.write, ...write],
      rules,
      { key: policy, name: [tool, ...(profile?.hide ?? [])].join('\0') },
      (news) => places.clear(news),
    );
    let prepared: PreparedDoors | undefined;
    const watches = new Set<DoorWatch>();
    const tree = new CommandTree({
      ...kept,
      rules,
      places,
      quarantine: this.#quarantine,
      tracked: this.#git.tracked,
      folders: {
        read: isWritable ? folders.read : [...folders.read, ...write],
        write: isWritable ? [...folders.write, ...write] : folders.write,
        ...(airlock && { binds: airlock.binds }),
      },
      protectedIn: (entries) => {
        const { revision } = kept.tree;
        prepared = this.#doors.prepare({
          writable: folders.write,
          entries,
          revision,
          tidiesWorktrees,
          carried: airlock?.real,
        });
        for (const watch of watches) watch.widen(prepared.scope);
        return prepared.protection.readOnlyInside;
      },
      couldAppear: folders.write.flatMap((root) => rules.couldAppear(root)).filter(isNoGit),
      shown: (path) => relative(workspace, path) || '.',
    });
    return { tree, watches, doors: () => prepared };
  }

  /** What a policy names, and what git obeys, is not git's to change either. */
  #care(
    { tree, doors }: PlannedTree,
    view: SandboxView,
    { policy, gitMayRestore, gitMove: move }: CommandViewRequest,
    known: Pick<CareRequest, 'settings' | 'cwd'>,
  ): Promise<Result<CaredFor, ToolError>> {
    const isDoor = (path: string): boolean =>
      doors()?.protection.readOnlyInside.some((door) => isWithin(door, path) || isWithin(path, door)) ===
      true;
    const mayWrite = (path: string): boolean => !policy.preserves(path) && !isDoor(path);
    return this.#git.prepare(tree, view, { ...known, move, mayWrite: gitMayRestore ? mayWrite : undefined });
  }
}

/** The server's own files that lie in the workspace, or would. */
function ownFilesIn(
  workspace: string,
  { never }: ReturnType<PermissionPolicy['patterns']>,
): readonly string[] {
  return never
    .map(({ pattern }) => relative(workspace, pattern))
    .filter((path) => path !== '' && !path.startsWith('..') && !/[*?[\\]/.test(path));
}

const NO_GUARD: CommandGuard = {
  close: async () => ({ appeared: [], quarantined: [], findings: [] }),
};

const NOTHING: SandboxView = { read: [], write: [], hide: [], readOnlyInside: [] };
