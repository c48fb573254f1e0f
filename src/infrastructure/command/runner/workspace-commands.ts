import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import type {
  CommandRequest,
  CommandSideEffects,
  PreparedCommand,
} from '../../../application/ports/command/command-runner.js';
import type { CommandSandbox, SandboxView } from '../../../application/ports/command/command-sandbox.js';
import { normalisePath } from '../../../domain/permission/path/normal-path.js';
import { SYSTEM_FOLDERS } from '../../../domain/permission/path/system-folders.js';
import { Result } from '../../../domain/result.js';
import { type ToolError, toolFailure } from '../../../domain/tool/tool-error.js';
import { isGitControl } from '../git/door-names.js';
import type { DoorWatch, PreparedDoors } from '../git/door-watch.js';
import { type CaredFor, type CareRequest, GitCare } from '../git/git-care.js';
import { GitDoors } from '../git/git-doors.js';
import type { SettingsFile } from '../git/settings/open-settings.js';
import { SettingsChanges } from '../git/settings/settings-changes.js';
import { isWithin } from '../program/toolchains.js';
import { SessionTmp } from '../session/session-tmp.js';
import { ChangeTracker } from '../workspace/change-tracker.js';
import { CommandTree } from '../workspace/command-tree.js';
import type { DeniedObjectStore } from '../workspace/denied-object-store.js';
import { standInFile } from '../workspace/hidden-files.js';
import { Quarantine, ReservedPaths } from '../workspace/quarantine.js';
import { WatchedTreeCache } from '../workspace/watched-tree-cache.js';
import {
  isNoGit,
  isRepository,
  openPrivateHome,
  ownFilesIn,
  privateHomeOf,
  realFolders,
  startFolder,
  type ViewFolders,
} from './command-folders.js';
import { globNames } from './glob-names.js';
import { keptFromRemoval } from './kept-from-removal.js';
import { type CommandRules, commandRules } from './policy-rules.js';
import { type CommandGuard, NO_GUARD, preparedCommand } from './prepared-command.js';

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
  readonly #tmp: SessionTmp;
  readonly #settings: SettingsChanges;

  constructor(
    private readonly options: RunnerOptions,
    private readonly sandbox: Pick<CommandSandbox, 'run'>,
  ) {
    const { stateFolder, workspace } = options;
    this.#home = privateHomeOf(stateFolder, workspace);
    this.#quarantine = new Quarantine(join(stateFolder, 'quarantine'));
    this.#reserved = new ReservedPaths(this.#quarantine);
    this.#doors = new GitDoors(workspace, stateFolder);
    this.#tmp = new SessionTmp(join(stateFolder, 'tmp'));
    this.#git = new GitCare(workspace, stateFolder);
    this.#standIn = standInFile(stateFolder);
    this.#settings = new SettingsChanges({ workspace, home: this.#home });
    const tracker = new ChangeTracker(join(stateFolder, 'watch'));
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
    const isOpen = (folder: string): boolean =>
      folders === undefined || [...open, ...SYSTEM_FOLDERS].some((root) => isWithin(folder, root));
    const planned = folders && this.#tree(folders, rules, request);
    const { tree } = planned ?? {};
    const view = tree === undefined ? Result.ok(NOTHING) : await tree.plan();
    if (!view.success) return view;
    const expand: PreparedCommand['expand'] = (pattern, directory) =>
      globNames(pattern, normalisePath(directory, cwd.value), {
        isOpen: (folder) => isOpen(folder) && !rules.isHidden(folder),
        isHidden: (path) => rules.isHidden(path) && tree?.isShown(path) !== true,
      });
    const guards = [...view.value.hide, ...(tree?.protectedFiles() ?? [])];
    const kept = keptFromRemoval(request, { cwd: cwd.value, workspace, expand, rules, guards });
    if (kept !== undefined) return toolFailure(kept);
    // What was found now must outlive the server, which may be killed while the command moves it.
    this.options.places.save();
    const settings = this.#settings.openable(request, planned?.doors()?.scope, cwd.value);
    const cared = planned && (await this.#care(planned, view.value, request, { settings, cwd: cwd.value }));
    if (cared?.success === false) return cared;
    const tmp = folders && request.session !== undefined ? this.#tmp.of(request.session) : undefined;
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
          planned && cared ? this.#guard({ ...planned, ...cared.value, settings }, end) : NO_GUARD,
      }),
    );
  }

  /** Few policies ever need it. */
  async #direct(): Promise<CommandSandbox> {
    const { DirectRunner } = await import('../unsandboxed/direct-runner.js');
    return new DirectRunner();
  }

  endSession(session: string): Promise<void> {
    return this.#tmp.remove(session);
  }

  async close(): Promise<void> {
    this.#doors.close();
    await this.#tmp.close();
    await this.#trees.close();
  }

  #tree(folders: ViewFolders, rules: CommandRules, request: CommandRequest): PlannedTree {
    const { policy, tool, profile, tidiesWorktrees, onlyReads = false } = request;
    const { workspace } = this.options;
    const write = this.#doors.ownFolders();
    const isWritable = folders.write.some((root) => isWithin(workspace, root));
    const { isServerOwned } = rules;
    const kept = this.#trees.of(
      [...folders.read, ...folders.write, ...write],
      rules,
      { key: policy, name: [tool, ...(profile?.hide ?? [])].join('\0') },
      (news) => this.#reserved.clear(news, isServerOwned),
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
        read: isWritable ? folders.read : [...folders.read, ...write],
        write: isWritable ? [...folders.write, ...write] : folders.write,
      },
      protectedIn: (entries) => {
        const { revision } = kept.tree;
        prepared = this.#doors.prepare({ writable: folders.write, entries, revision, tidiesWorktrees });
        for (const watch of watches) watch.widen(prepared.scope);
        return prepared.protection.readOnlyInside;
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
    known: Pick<CareRequest, 'settings' | 'cwd'>,
  ): Promise<Result<CaredFor, ToolError>> {
    const isDoor = (path: string): boolean =>
      doors()?.protection.readOnlyInside.some((door) => isWithin(door, path) || isWithin(path, door)) ===
      true;
    const mayWrite = (path: string): boolean => !policy.preserves(path) && !isDoor(path);
    return this.#git.prepare(tree, view, { ...known, move, mayWrite: gitMayRestore ? mayWrite : undefined });
  }

  async #guard(
    { tree, doors, watches, settle, compare, settings }: GuardedTree,
    end: (why: string) => void,
  ): Promise<CommandGuard> {
    const turn = await this.#settings.enter(settings, (paths) => tree.revokeWrites(paths));
    const over = this.#reserved.begin();
    const scope = doors()?.scope;
    const watch = scope && this.#doors.begin(scope, tree.signs, end, turn.files);
    if (watch !== undefined) watches.add(watch);
    const traces = async (): Promise<CommandSideEffects> => {
      const restored = await settle();
      const all = await tree.appeared();
      const git = { ...restored, ...(await compare()) };
      const repositories = all.filter(isRepository);
      if (watch !== undefined) watches.delete(watch);
      const findings = watch?.close(repositories) ?? [];
      const texts = (isRefusal: boolean): readonly string[] =>
        findings.filter((finding) => (finding.isRefusal ?? false) === isRefusal).map(({ text }) => text);
      return {
        // A repository that was found harmless is nothing to tell.
        appeared: all.filter((path) => !repositories.includes(path)),
        quarantined: tree.quarantined(),
        findings: texts(false),
        refused: texts(true),
        ...git,
      };
    };
    const close = async (): Promise<CommandSideEffects> => {
      const found = await traces().finally(turn.leave);
      // Not before: what was not looked at yet would be taken for the user's by the next command.
      over();
      return found;
    };
    return { close };
  }
}

/** The tree of one command; the repositories in it that are watched over are known once it was planned. */
interface PlannedTree {
  readonly tree: CommandTree;
  /** What git obeys: mounted read-only, and watched over. */
  readonly doors: () => PreparedDoors | undefined;
  /** Told when the repositories turn out to be others, just before the command begins. */
  readonly watches: Set<DoorWatch>;
}

interface GuardedTree extends PlannedTree, CaredFor {
  readonly settings: readonly SettingsFile[];
}

const NOTHING: SandboxView = { read: [], write: [], hide: [], readOnlyInside: [] };
