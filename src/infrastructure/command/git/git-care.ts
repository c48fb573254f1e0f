import { join, relative } from 'node:path';
import type { CommandTraces } from '../../../application/ports/command/command-ground.js';
import type { SandboxView } from '../../../application/ports/command/command-sandbox.js';
import { Result } from '../../../domain/result.js';
import type { ToolError } from '../../../domain/tool/tool-error.js';
import { isWithin } from '../program/toolchains.js';
import type { TreeView } from '../tree/tree-view.js';
import { Quarantine } from '../view/quarantine.js';
import { BlobNames } from './blob-names.js';
import { GuardedFiles } from './guarded-files.js';
import { IndexEntries } from './index-entries.js';
import { LOOKALIKE_SETTINGS, Lookalikes } from './lookalike/lookalikes.js';
import { ObjectReader } from './object-reader.js';
import { FirstCommits } from './restore/first-commits.js';
import { ProtectedRestore } from './restore/protected-restore.js';
import { TrackedSecrets } from './tracked-secrets.js';

/** What a command does to files that it may not write on its own, told when it has ended. */
export interface CaredFor {
  readonly view: SandboxView;
  /** Keys and values that git is to be given. */
  readonly gitSettings: readonly (readonly [string, string])[];
  readonly close: () => Promise<Pick<CommandTraces, 'putBack' | 'leftBehind' | 'movedHead'>>;
}

/** Keeps git's work exact where files are hidden or protected. */
export class GitCare {
  readonly tracked: TrackedSecrets;
  readonly #guarded: GuardedFiles;
  readonly #restore: ProtectedRestore;
  readonly #lookalikes: Lookalikes;

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
    this.#lookalikes = new Lookalikes({
      folder: join(stateFolder, 'git-lookalikes'),
      reader,
      names,
    });
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
    settings: readonly { readonly path: string }[],
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
    const loose = [...(opened?.paths ?? []), ...settings.map(({ path }) => path)];
    if (loose.length > 0) tree.loosen(loose);
    const open = loose.length === 0 ? Result.ok(planned) : await tree.current();
    if (!open.success) return open;
    const { hide, readOnlyInside } = open.value;
    const states = await this.#guarded.record([...hide, ...readOnlyInside].filter(isInside), seen);
    const lookalikes = await this.#lookalikes.of(states, hide);
    if (lookalikes.size > 0) tree.disguise(lookalikes);
    const view = lookalikes.size === 0 ? open : await tree.current();
    if (!view.success) return view;
    const shown = (path: string): string => relative(this.workspace, path);
    const close: CaredFor['close'] = async () => {
      const putBack = opened === undefined ? [] : await this.#restore.settle(opened);
      const { files, head } = await this.#guarded.compare(states);
      return {
        putBack: putBack.map(shown),
        leftBehind: files.map(({ path, moved }) => ({ path: shown(path), moved })),
        ...(head !== undefined && { movedHead: head }),
      };
    };
    return Result.ok({
      view: view.value,
      gitSettings: lookalikes.size === 0 ? [] : LOOKALIKE_SETTINGS,
      close,
    });
  }
}
