import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { CommandRequest, PreparedCommand } from '../../../application/ports/command/command-runner.js';
import type { CommandSandbox, SandboxView } from '../../../application/ports/command/command-sandbox.js';
import { normalisePath } from '../../../domain/permission/path/normal-path.js';
import { SYSTEM_FOLDERS } from '../../../domain/permission/path/system-folders.js';
import { Result } from '../../../domain/result.js';
import { type ToolError, toolFailure } from '../../../domain/tool/tool-error.js';
import type { Airlock } from '../git/airlock/airlock.js';
import { Airlocks } from '../git/airlock/airlocks.js';
import { carriedBefore } from '../git/airlock/carried-before.js';
import { isGitControl } from '../git/door-names.js';
import type { DoorWatch, PreparedDoors } from '../git/door-watch.js';
import { type CaredFor, GitCare } from '../git/git-care.js';
import { GitDoors } from '../git/git-doors.js';
import { isWithin } from '../program/toolchains.js';
import { SessionTmp } from '../session/session-tmp.js';
import { ChangeTracker } from '../workspace/change-tracker.js';
import { CommandTree } from '../workspace/command-tree.js';
import type { DeniedObjectStore } from '../workspace/denied-object-store.js';
import { standInFile } from '../workspace/hidden-files.js';
import { LISTING, openUp } from '../workspace/open-up.js';
import { Quarantine, ReservedPaths } from '../workspace/quarantine.js';
import { WatchedTreeCache } from '../workspace/watched-tree-cache.js';
import {
  isNoGit,
  openPrivateHome,
  ownFilesIn,
  privateHomeOf,
  realFolders,
  startFolder,
  type ViewFolders,
} from './command-folders.js';
import { type CommandWatchers, guardCommand, type PlannedTree } from './command-guard.js';
import { globNames } from './glob-names.js';
import { keptFromRemoval } from './kept-from-removal.js';
import { type CommandRules, commandRules } from './policy-rules.js';
import { NO_GUARD, preparedCommand } from './prepared-command.js';

export interface RunnerOptions {
  readonly workspace: string;
  readonly stateFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly realHome: string;
  readonly places: DeniedObjectStore;
}

const SHELLS = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash', '/run/current-system/sw/bin/bash'];

/** Prepares commands for one workspace: works out what each sees of the disk, and what is to be done around it. */
export class WorkspaceCommands {
  readonly #trees: WatchedTreeCache;
  readonly #quarantine: Quarantine;
  readonly #reserved: ReservedPaths;
  readonly #home: string;
  readonly #shell = SHELLS.find((path) => existsSync(path));
  readonly #doors: GitDoors;
  readonly #git: GitCare;
  readonly #standIn: string | undefined;
  readonly tmp: SessionTmp;
  readonly #airlocks: Airlocks;

  constructor(
    private readonly options: RunnerOptions,
    private readonly sandbox: Pick<CommandSandbox, 'run' | 'kind'>,
  ) {
    const { stateFolder, workspace } = options;
    this.#home = privateHomeOf(stateFolder, workspace);
    this.#quarantine = new Quarantine(join(stateFolder, 'quarantine'));
    this.#reserved = new ReservedPaths(this.#quarantine);
    this.#doors = new GitDoors(workspace, stateFolder);
    this.tmp = new SessionTmp(join(stateFolder, 'tmp'));
    this.#git = new GitCare(workspace, stateFolder);
    this.#standIn = standInFile(stateFolder);
    const tracker = new ChangeTracker(join(stateFolder, 'watch'));
    this.#airlocks = new Airlocks({ workspace, stateFolder, sandbox, tracker });
    this.#trees = new WatchedTreeCache(tracker, options.places, this.#git.tracked, isGitControl);
  }

  async prepare(request: CommandRequest): Promise<Result<PreparedCommand, ToolError>> {
    const { workspace, realHome } = this.options;
    const { policy, tool, paths, profile } = request;
    const home = openPrivateHome(this.#home, realHome, () => ownFilesIn(workspace, policy.patterns(tool)));
    const rules = commandRules(policy, tool, paths, profile?.hide ?? [], workspace);
    const folders = profile && realFolders(profile, workspace);
    const open = folders === undefined ? [workspace] : [...folders.read, ...folders.write, home];
    const cwd = startFolder(request, { workspace, open, home });
    if (!cwd.success) return cwd;
    const own = this.#repository(folders);
    const planned = folders && this.#tree(folders, rules, request, own);
    const { tree } = planned ?? {};
    const view = tree === undefined ? Result.ok(NOTHING) : await tree.plan();
    if (!view.success) return view;
    const expand = expander(folders && open, cwd.value, rules, tree);
    const guards = [...view.value.hide, ...(tree?.protectedFiles() ?? [])];
    const kept = keptFromRemoval(request, { cwd: cwd.value, workspace, expand, rules, guards });
    if (kept !== undefined) return toolFailure(kept);
    // What was found now must outlive the server, which may be killed while the command moves it.
    this.options.places.save();
    const before = await carriedBefore(own.airlock);
    if (!before.success) return before;
    const cared = planned && (await this.#care(planned, view.value, request, cwd.value));
    if (cared?.success === false) return cared;
    // git's index may have got a later time, which commands have to see as well.
    const again = await carriedBefore(own.airlock);
    if (!again.success) return again;
    const carried = [...before.value, ...again.value];
    const tmp = folders && request.session !== undefined ? this.tmp.of(request.session) : undefined;
    return Result.ok(
      preparedCommand({
        cwd: cwd.value,
        shell: this.#shell,
        seen: { view: cared?.value.view ?? view.value, home, ...(tmp !== undefined && { tmp }) },
        tree,
        sandbox: async () => (profile === undefined ? this.#direct() : this.sandbox),
        ...(cared && { gitSettings: cared.value.gitSettings }),
        expand,
        guard: async (end) =>
          planned && cared
            ? guardCommand({ ...planned, ...cared.value, ...own, carried }, this.#watchers, end)
            : NO_GUARD,
      }),
    );
  }

  /** Few policies ever need it. */
  async #direct(): Promise<CommandSandbox> {
    const { DirectRunner } = await import('../unsandboxed/direct-runner.js');
    return new DirectRunner();
  }

  endSession(session: string): Promise<void> {
    return this.tmp.remove(session);
  }

  /** The workspace's own repository; without one commands may make it, where they may write. */
  #repository(folders: ViewFolders | undefined): OwnRepository {
    const { workspace } = this.options;
    const isWritable = folders?.write.some((root) => isWithin(workspace, root)) === true;
    return isWritable
      ? { airlock: this.#airlocks.own(), mayMake: this.#airlocks.mayMake }
      : { airlock: undefined, mayMake: false };
  }

  get #watchers(): CommandWatchers {
    const { workspace } = this.options;
    return { workspace, doors: this.#doors, airlocks: this.#airlocks, reserved: this.#reserved };
  }

  async close(): Promise<void> {
    await this.#airlocks.close();
    await this.tmp.close();
    await this.#trees.close();
  }

  #tree(
    folders: ViewFolders,
    rules: CommandRules,
    request: CommandRequest,
    { airlock, mayMake }: OwnRepository,
  ): PlannedTree {
    const { policy, tool, profile, tidiesWorktrees, onlyReads = false } = request;
    const { workspace } = this.options;
    const write = this.#doors.ownFolders();
    const { isServerOwned } = rules;
    const kept = this.#trees.of(
      [...folders.read, ...folders.write, ...write],
      rules,
      { key: policy, name: [tool, ...(profile?.hide ?? [])].join('\0') },
      (news) => {
        this.#reserved.clear(news, isServerOwned);
        // Closed to the server, but not to git.
        for (const { path, found } of news) if (found.closed) openUp(path, LISTING);
        this.#doors.appeared(news.filter(({ found }) => found.kind === 'git').map(({ path }) => path));
      },
    );
    let prepared: PreparedDoors | undefined;
    const watches = new Set<DoorWatch>();
    const tree = new CommandTree({
      ...kept,
      rules,
      places: this.#reserved,
      isServerOwned,
      standIn: this.#standIn,
      quarantine: this.#quarantine,
      folders: {
        ...(airlock === undefined
          ? { read: [...folders.read, ...write], write: folders.write }
          : { read: folders.read, write: [...folders.write, ...write], binds: airlock.binds }),
      },
      protectedIn: (entries) => {
        const { revision } = kept.tree;
        prepared = this.#doors.prepare({
          writable: folders.write,
          entries,
          revision,
          tidiesWorktrees,
          carried: airlock?.real,
          isMade: mayMake,
        });
        for (const watch of watches) watch.widen(prepared.scope);
        return prepared.readOnlyInside;
      },
      couldAppear: folders.write.flatMap((root) => rules.couldAppear(root)).filter(isNoGit),
      shown: (path) => relative(workspace, path) || '.',
      onlyReads,
    });
    return { tree, watches, doors: () => prepared };
  }

  /** What a policy names, and what git obeys, is not git's to change either. */
  #care(
    { tree, doors }: PlannedTree,
    view: SandboxView,
    { policy, gitMayRestore, gitMove: move }: CommandRequest,
    cwd: string,
  ): Promise<Result<CaredFor, ToolError>> {
    const isDoor = (path: string): boolean =>
      doors()?.readOnlyInside.some((door) => isWithin(door, path) || isWithin(path, door)) === true;
    const mayWrite = (path: string): boolean => !policy.preserves(path) && !isDoor(path);
    return this.#git.prepare(tree, view, { cwd, move, mayWrite: gitMayRestore ? mayWrite : undefined });
  }
}

/** How a command meets the workspace's own repository. */
interface OwnRepository {
  readonly airlock: Airlock | undefined;
  readonly mayMake: boolean;
}

const NOTHING: SandboxView = { read: [], write: [], hide: [], readOnlyInside: [] };

/** `open`: the folders that commands see beside the system's; undefined: all. */
function expander(
  open: readonly string[] | undefined,
  cwd: string,
  rules: CommandRules,
  tree: CommandTree | undefined,
): PreparedCommand['expand'] {
  const isOpen = (folder: string): boolean =>
    open === undefined || [...open, ...SYSTEM_FOLDERS].some((root) => isWithin(folder, root));
  return (pattern, directory) =>
    globNames(pattern, normalisePath(directory, cwd), {
      isOpen: (folder) => isOpen(folder) && !rules.isHidden(folder),
      isHidden: (path) => rules.isHidden(path) && tree?.isShown(path) !== true,
    });
}
