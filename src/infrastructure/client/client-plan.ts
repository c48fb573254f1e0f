import { Result } from '../../domain/result.js';
import type { ClientFile } from './client-files.js';
import { ClientRegistration } from './client-registration.js';
import type { SwitchedFile } from './client-switches.js';
import type { ServerEntry } from './server-entry.js';
import { editSettings } from './settings-edit.js';
import { type ChangeText, type PlannedChange, SettingsFile } from './settings-file.js';
import type { SettingsRecords } from './settings-record.js';

/** A change of one file; several of one file are made together. */
interface Piece {
  readonly root: string;
  readonly path: string;
  readonly change: ChangeText;
}

const NOTHING: ChangeText = async () => Result.ok([]);

/** Everything that `install` writes for one client, and that `uninstall` takes back. */
export class ClientPlan {
  readonly #registration: ClientRegistration;

  constructor(
    private readonly file: ClientFile,
    private readonly entry: ServerEntry,
    private readonly name: string,
    private readonly records: SettingsRecords,
  ) {
    this.#registration = new ClientRegistration(file, name);
  }

  async install(switched: readonly SwitchedFile[]): Promise<Result<readonly PlannedChange[]>> {
    return planAll(this.#pieces(switched), ({ root, path, change }) =>
      this.#settings(root, path).change(change),
    );
  }

  /** `switched`: every file that an installation may have changed besides. */
  async uninstall(switched: readonly SwitchedFile[]): Promise<Result<readonly PlannedChange[]>> {
    const own: Piece = { ...this.file, change: async (text) => one(await this.#registration.remove(text)) };
    const others = switched
      .filter(({ path }) => path !== this.file.path)
      .map(({ root, path }) => ({ root, path, change: NOTHING }));
    return planAll(merged([own, ...others]), ({ root, path, change }) =>
      this.#settings(root, path).restore(change),
    );
  }

  /** What a person would paste into empty files. */
  async print(switched: readonly SwitchedFile[]): Promise<Result<readonly (readonly [string, string])[]>> {
    const printed: (readonly [string, string])[] = [];
    for (const { path, change } of this.#pieces(switched)) {
      const texts = await change('');
      if (!texts.success) return texts;
      printed.push([path, texts.value.at(-1) ?? '']);
    }
    return Result.ok(printed);
  }

  #pieces(switched: readonly SwitchedFile[]): readonly Piece[] {
    const own: Piece = {
      ...this.file,
      change: async (text) => one(await this.#registration.add(text, this.entry)),
    };
    return merged([own, ...switched.map(pieceOf)]);
  }

  #settings(root: string, path: string): SettingsFile {
    return new SettingsFile(root, path, this.name, this.records);
  }
}

function pieceOf(file: SwitchedFile): Piece {
  const { root, path } = file;
  if (file.format === 'whole') return { root, path, change: async () => Result.ok([file.text]) };
  return { root, path, change: (text) => editSettings(text, { path, format: file.format }, file.edits) };
}

function one(changed: Result<string>): Result<readonly string[]> {
  return changed.success ? Result.ok([changed.value]) : changed;
}

/** One after the other in the same text. */
function merged(pieces: readonly Piece[]): readonly Piece[] {
  const byPath = new Map<string, Piece>();
  for (const piece of pieces) {
    const before = byPath.get(piece.path);
    byPath.set(
      piece.path,
      before === undefined ? piece : { ...piece, change: both(before.change, piece.change) },
    );
  }
  return [...byPath.values()];
}

function both(first: ChangeText, second: ChangeText): ChangeText {
  return async (text) => {
    const begun = await first(text);
    if (!begun.success) return begun;
    const ended = await second(begun.value.at(-1) ?? text);
    return ended.success ? Result.ok([...begun.value, ...ended.value]) : ended;
  };
}

async function planAll(
  pieces: readonly Piece[],
  plan: (piece: Piece) => Promise<Result<PlannedChange>>,
): Promise<Result<readonly PlannedChange[]>> {
  const changes: PlannedChange[] = [];
  for (const piece of pieces) {
    const planned = await plan(piece);
    if (!planned.success) return planned;
    changes.push(planned.value);
  }
  return Result.ok(changes);
}
