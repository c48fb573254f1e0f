import { join, relative, resolve } from 'node:path';
import type { CommandSideEffects, GitMove } from '../../../application/ports/command/command-runner.js';
import type { SandboxView } from '../../../application/ports/command/command-sandbox.js';
import { Result } from '../../../domain/result.js';
import { permissionDenied, type ToolError, toolFailure } from '../../../domain/tool/tool-error.js';
import { OBJECTS_FIRST } from '../mounts/objects-first.js';
import { isWithin } from '../program/toolchains.js';
import type { CommandTree } from '../workspace/command-tree.js';
import { Quarantine } from '../workspace/quarantine.js';
import { BlobNames } from './blob-names.js';
import { GuardedFiles, type GuardedStates } from './guarded-files.js';
import { IndexEntries } from './index-entries.js';
import { LOOKALIKE_SETTINGS, Lookalikes } from './lookalike/lookalikes.js';
import { ObjectReader } from './object-reader.js';
import { NeededWrites } from './precheck/needed-writes.js';
import { entryFor, repositoryAt, type SeenRepositories } from './repository-head.js';
import { FirstCommits } from './restore/first-commits.js';
import { PassedCommits } from './restore/passed-commits.js';
import { type OpenedFiles, ProtectedRestore } from './restore/protected-restore.js';
import { TrackedSecrets } from './tracked-secrets.js';

/** What a command does to files that it may not write on its own, told when it has ended. */
export interface CaredFor {
  readonly view: SandboxView;
  /** Keys and values that git is to be given. */
  readonly gitSettings: readonly (readonly [string, string])[];
  /** First: puts back what was not git's to change, and names it. */
  readonly settle: () => Promise<Pick<CommandSideEffects, 'putBack'>>;
  /** Then, when the tree was looked at once more: where git moved on and a file did not. */
  readonly compare: () => Promise<Pick<CommandSideEffects, 'leftBehind' | 'movedHead'>>;
}

/** What is known of a command that may run git. */
export interface CareRequest {
  /** The protected files that git alone may bring to another content; undefined: none. */
  readonly mayWrite: ((path: string) => boolean) | undefined;
  readonly move: GitMove | undefined;
  readonly cwd: string;
}

const MAX_NAMED = 20;

/** Keeps git's work exact where files are hidden or protected. */
export class GitCare {
  readonly tracked: TrackedSecrets;
  readonly #guarded: GuardedFiles;
  readonly #first = new FirstCommits();
  readonly #restore: ProtectedRestore;
  readonly #lookalikes: Lookalikes;
  readonly #needed: NeededWrites;
  #last:
    | { readonly view: SandboxView; readonly revision: number; readonly states: GuardedStates }
    | undefined;

  constructor(
    private readonly workspace: string,
    stateFolder: string,
  ) {
    const reader = new ObjectReader(join(stateFolder, 'git-reader'));
    const names = new BlobNames();
    // Of its own: what is put back is told in other words than what was taken away.
    const quarantine = new Quarantine(join(stateFolder, 'quarantine'));
    const indexes = new IndexEntries(reader);
    this.tracked = new TrackedSecrets({ reader, names, indexes });
    this.#guarded = new GuardedFiles(indexes, names);
    this.#needed = new NeededWrites({ reader, names, indexes });
    this.#lookalikes = new Lookalikes({
      folder: join(stateFolder, 'git-lookalikes'),
      reader,
      names,
    });
    this.#restore = new ProtectedRestore({
      reader,
      names,
      first: this.#first,
      passed: new PassedCommits(join(stateFolder, 'airlock')),
      quarantine,
    });
  }

  async prepare(
    tree: CommandTree,
    planned: SandboxView,
    { mayWrite, move, cwd }: CareRequest,
  ): Promise<Result<CaredFor, ToolError>> {
    const folders = [...planned.read, ...planned.write];
    const seen = { entries: tree.repositories(), folders };
    const isInside = (path: string): boolean => planned.write.some((root) => isWithin(path, root));
    const opened =
      mayWrite &&
      this.#restore.open(
        tree.protectedFiles().filter((path) => isInside(path) && mayWrite(path)),
        seen,
      );
    const loose = opened?.paths ?? [];
    if (loose.length > 0) tree.allowWrites(loose);
    const open = loose.length === 0 ? Result.ok(planned) : await tree.current();
    if (!open.success) return open;
    const { revision } = tree.signs;
    const states = await this.#states(open.value, revision, seen);
    const shown = (path: string): string => relative(this.workspace, path);
    if (move !== undefined) {
      const blocked = await this.#blocked(move, resolve(cwd, move.folder), { states, opened, seen });
      if (blocked.length > 0) return notBegun(blocked.map(shown));
    }
    const lookalikes = await this.#lookalikes.of(states, open.value.hide);
    if (lookalikes.size > 0) tree.setPlaceholders(lookalikes);
    const view = lookalikes.size === 0 ? open : await tree.current();
    if (!view.success) return view;
    const settle: CaredFor['settle'] = async () => {
      const putBack = opened === undefined ? [] : await this.#restore.settle(opened);
      return { putBack: putBack.map(shown) };
    };
    const compare: CaredFor['compare'] = async () => {
      // git changes nothing in its index without a new file beside it.
      if (revision !== undefined && tree.signs.revision === revision) return { leftBehind: [] };
      const { files, head } = await this.#guarded.compare(states);
      return {
        leftBehind: files.map(({ path, moved }) => ({ path: shown(path), moved })),
        ...(head !== undefined && { movedHead: head }),
      };
    };
    return Result.ok({
      view: view.value,
      gitSettings: [
        ...(lookalikes.size === 0 ? [] : LOOKALIKE_SETTINGS),
        ...(lookalikes.size === 0 && !tree.hidesByName ? [] : OBJECTS_FIRST),
      ],
      settle,
      compare,
    });
  }

  /** Files that git would have to write and may not, where that is known beforehand. */
  async #blocked(
    move: GitMove,
    folder: string,
    at: {
      readonly states: GuardedStates;
      readonly opened: OpenedFiles | undefined;
      readonly seen: SeenRepositories;
    },
  ): Promise<readonly string[]> {
    const entry = entryFor(folder, at.seen.entries);
    const repository = entry === undefined ? undefined : repositoryAt(entry, at.seen.folders);
    if (entry === undefined || repository === undefined) return [];
    const closed = at.states.get(entry)?.guarded ?? [];
    const open = (at.opened?.paths ?? []).filter((path) => entryFor(path, at.seen.entries) === entry);
    const blocked: string[] = [];
    for (const { path, blob } of await this.#needed.of(move, repository, [...closed, ...open], folder)) {
      const isClosed = closed.some((guarded) => isWithin(path, guarded));
      if (isClosed || (blob !== 'merged' && !(await this.#restore.mayBring(path, blob, repository))))
        blocked.push(path);
    }
    return blocked;
  }

  async #states(
    view: SandboxView,
    revision: number | undefined,
    seen: SeenRepositories,
  ): Promise<GuardedStates> {
    this.#first.remember(seen);
    if (revision !== undefined && this.#last?.revision === revision && this.#last.view === view)
      return this.#last.states;
    const { hide, readOnlyInside, write } = view;
    const guarded = [...hide, ...readOnlyInside].filter((path) => write.some((root) => isWithin(path, root)));
    const states = await this.#guarded.record(guarded, seen);
    this.#last = revision === undefined ? undefined : { view, revision, states };
    return states;
  }
}

function notBegun(files: readonly string[]): Result<never, ToolError> {
  const more = files.length > MAX_NAMED ? ` and ${files.length - MAX_NAMED} more` : '';
  const names = files.slice(0, MAX_NAMED).join(', ');
  return toolFailure(
    permissionDenied(
      'PROTECTED',
      `Nothing was done: git would have to write ${names}${more}. Other programs obey these files, or the policy denies them, so commands cannot change them but to what commits of before the server started have, where git_may_restore lets them. Ask the user to run the git command, or name the other files in it.`,
    ),
  );
}
