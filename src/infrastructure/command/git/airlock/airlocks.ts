import { createHash } from 'node:crypto';
import { dirname, join, relative, resolve } from 'node:path';
import type { CommandSandbox } from '../../../../application/ports/command/command-sandbox.js';
import type { ChangeTracker } from '../../workspace/change-tracker.js';
import type { AirlockPlace, CarryReport } from '../carrier/carrier-messages.js';
import { entriesIn, isFolder, look, readRegularFile } from '../git-files.js';
import { pointerTarget, worktreeFolders } from '../git-pointers.js';
import { Airlock } from './airlock.js';

export interface AirlocksParts {
  readonly workspace: string;
  readonly stateFolder: string;
  readonly sandbox: Pick<CommandSandbox, 'run' | 'kind'>;
  readonly tracker: ChangeTracker;
}

/** The repositories of a workspace of which commands have a private git folder. */
export class Airlocks {
  readonly #known = new Map<string, Airlock>();
  #makers = 0;

  constructor(private readonly parts: AirlocksParts) {}

  /** The workspace's own; undefined: it has none, or one that nothing can be mounted over. */
  own(): Airlock | undefined {
    // Only there can a folder be shown in the place of another.
    if (this.parts.sandbox.kind !== 'bubblewrap' || this.#makers > 0) return undefined;
    const place = placeOf(this.parts.stateFolder, this.parts.workspace);
    if (place === undefined) return undefined;
    const { sandbox, tracker } = this.parts;
    const known = this.#known.get(place.real) ?? new Airlock({ place, sandbox, tracker });
    this.#known.set(place.real, known);
    return known;
  }

  /** No repository was there when the first of the commands that run began. */
  get mayMake(): boolean {
    const { sandbox, workspace } = this.parts;
    const isMissing = look(join(workspace, '.git')) === undefined;
    return sandbox.kind === 'bubblewrap' && (isMissing || this.#makers > 0);
  }

  /** To be called before a command that may make it; the answer when it has ended. The last of them has it adopted. */
  beginMaking(): () => Promise<readonly CarryReport[]> {
    this.#makers += 1;
    return async () => {
      this.#makers -= 1;
      return this.#makers === 0 ? this.#adoptOwn() : [];
    };
  }

  async #adoptOwn(): Promise<readonly CarryReport[]> {
    const { sandbox, tracker, workspace, stateFolder } = this.parts;
    const place = placeOf(stateFolder, workspace);
    if (place === undefined || place.real !== join(workspace, '.git')) return [];
    const maker = new Airlock({ place, sandbox, tracker, isMade: true });
    try {
      return await maker.adopt();
    } finally {
      await maker.close();
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#known.values()].map((airlock) => airlock.close()));
  }
}

/** Where the airlock of a folder with files lies. */
export function airlockFolderOf(stateFolder: string, folder: string): string {
  return join(stateFolder, 'airlock', createHash('sha256').update(folder).digest('hex').slice(0, 16));
}

/** Why commands can only read the repository of a workspace; undefined: there is none, or they have a git folder of their own. */
export function whyReadOnly(workspace: string): string | undefined {
  const entry = join(workspace, '.git');
  if (look(entry) === undefined) return undefined;
  const found = gitFolderOf(entry);
  if (found === undefined) return `${entry} leads to no git folder that leads back to it`;
  if (isSupported(found.real)) return undefined;
  return `${found.real} has links in the place of its parts, or keeps its refs in a table`;
}

/** Refs under which commits of commands are kept that gave way to the user's. */
export function hasConflicts(workspace: string): boolean {
  const found = gitFolderOf(join(workspace, '.git'));
  return found !== undefined && entriesIn(join(found.real, 'refs/airlock')).length > 0;
}

function placeOf(stateFolder: string, workspace: string): AirlockPlace | undefined {
  const entry = join(workspace, '.git');
  const found = gitFolderOf(entry);
  if (found === undefined || !isSupported(found.real)) return undefined;
  const state = airlockFolderOf(stateFolder, workspace);
  return { ...found, private: join(state, 'git'), state, workspace };
}

function gitFolderOf(entry: string): Pick<AirlockPlace, 'real' | 'only'> | undefined {
  if (look(entry)?.isDirectory()) return { real: entry };
  const worktree = worktreeFolders(entry);
  if (worktree !== undefined) return { real: worktree.common, only: relative(worktree.common, worktree.own) };
  const module = pointerTarget(entry);
  return module !== undefined && worksIn(module) === dirname(entry) ? { real: module } : undefined;
}

/** Where the files of a submodule lie, as its own settings say. */
function worksIn(module: string): string | undefined {
  const [, folder] =
    /^\s*worktree\s*=\s*(\S.*?)\s*$/m.exec(readRegularFile(join(module, 'config')) ?? '') ?? [];
  return folder === undefined ? undefined : resolve(module, folder);
}

/** A git folder as git makes it: parts that are links lead elsewhere, and refs in a table are not known here. */
function isSupported(real: string): boolean {
  const config = readRegularFile(join(real, 'config')) ?? '';
  return (
    ['objects', 'refs'].every((name) => isFolder(join(real, name))) &&
    look(join(real, 'HEAD'))?.isFile() === true &&
    ['config', 'packed-refs', 'index'].every((name) => look(join(real, name))?.isSymbolicLink() !== true) &&
    !/^\s*refstorage\s*=\s*"?(?!files)/im.test(config)
  );
}
