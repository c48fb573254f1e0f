import { join, relative } from 'node:path';
import type { CommandTraces } from '../../../application/ports/command/command-ground.js';
import type { SandboxView } from '../../../application/ports/command/command-sandbox.js';
import { Result } from '../../../domain/result.js';
import type { ToolError } from '../../../domain/tool/tool-error.js';
import { isWithin } from '../program/toolchains.js';
import type { TreeView } from '../tree/tree-view.js';
import { Quarantine } from '../view/quarantine.js';
import { BlobNames } from './blob-names.js';
import { GuardedFiles, type GuardedStates } from './guarded-files.js';
import { IndexEntries } from './index-entries.js';
import { ObjectReader } from './object-reader.js';
import type { SeenRepositories } from './repository-head.js';
import { FirstCommits } from './restore/first-commits.js';
import { ProtectedRestore } from './restore/protected-restore.js';
import { TrackedSecrets } from './tracked-secrets.js';

/** What a command does to files that it may not write on its own, told when it has ended. */
export interface CaredFor {
  readonly view: SandboxView;
  /** First: puts back what was not git's to change, and names it. */
  readonly settle: () => Promise<Pick<CommandTraces, 'putBack'>>;
  /** Then, when the tree was looked at once more: where git moved on and a file did not. */
  readonly compare: () => Promise<Pick<CommandTraces, 'leftBehind' | 'movedHead'>>;
}

/** Keeps git's work exact where files are hidden or protected. */
export class GitCare {
  readonly tracked: TrackedSecrets;
  readonly #guarded: GuardedFiles;
  readonly #restore: ProtectedRestore;
  #last: { readonly view: SandboxView; readonly pulse: number; readonly states: GuardedStates } | undefined;

  constructor(
    private readonly workspace: string,
    stateFolder: string,
  ) {
    const reader = new ObjectReader(join(stateFolder, 'git-reader'));
    const names = new BlobNames();
    // Of its own: what is put back is told in other words than what was taken away.
    const quarantine = new Quarantine(join(stateFolder, 'quarantine'));
    const indexes = new IndexEntries(reader);
    const first = new FirstCommits(reader);
    this.tracked = new TrackedSecrets({ reader, names, indexes, first });
    this.#guarded = new GuardedFiles(indexes, names);
    this.#restore = new ProtectedRestore({ reader, names, first, quarantine });
  }

  /**
   * `mayWrite`: the protected files that git alone may bring to another content; undefined: none. `settings`:
   * configurations that git may write.
   */
  async prepare(
    tree: TreeView,
    planned: SandboxView,
    mayWrite: ((path: string) => boolean) | undefined,
    settings: readonly string[],
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
    const loose = [...(opened?.paths ?? []), ...settings];
    if (loose.length > 0) tree.loosen(loose);
    const view = loose.length === 0 ? Result.ok(planned) : await tree.current();
    if (!view.success) return view;
    const { pulse } = tree.signs;
    const states = await this.#states(view.value, pulse, seen);
    const shown = (path: string): string => relative(this.workspace, path);
    const settle: CaredFor['settle'] = async () => {
      const putBack = opened === undefined ? [] : await this.#restore.settle(opened);
      return { putBack: putBack.map(shown) };
    };
    const compare: CaredFor['compare'] = async () => {
      // git changes nothing in its index without a new file beside it.
      if (pulse !== undefined && tree.signs.pulse === pulse) return { leftBehind: [] };
      const { files, head } = await this.#guarded.compare(states);
      return {
        leftBehind: files.map(({ path, moved }) => ({ path: shown(path), moved })),
        ...(head !== undefined && { movedHead: head }),
      };
    };
    return Result.ok({ view: view.value, settle, compare });
  }

  async #states(
    view: SandboxView,
    pulse: number | undefined,
    seen: SeenRepositories,
  ): Promise<GuardedStates> {
    if (pulse !== undefined && this.#last?.pulse === pulse && this.#last.view === view)
      return this.#last.states;
    const { hide, readOnlyInside, write } = view;
    const guarded = [...hide, ...readOnlyInside].filter((path) => write.some((root) => isWithin(path, root)));
    const states = await this.#guarded.record(guarded, seen);
    this.#last = pulse === undefined ? undefined : { view, pulse, states };
    return states;
  }
}
