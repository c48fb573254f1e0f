import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { TokenLedger } from '../../application/ports/model/token-ledger.js';
import { isJsonObject } from '../../domain/json-value.js';
import { isSpending, type Spending } from '../../domain/model/token-spending.js';
import { Result } from '../../domain/result.js';
import { readForeignFile } from '../state/foreign-file.js';
import { LockedFile } from '../state/locked-file.js';
import { openStateFolder } from '../state/state-folder.js';

const MAX_LEDGER_BYTES = 64 * 1024 * 1024;

/**
 * One file per workspace in the state directory, which no tool can access. All servers of the workspace share
 * it.
 */
export class FileTokenLedger implements TokenLedger {
  readonly path: string;
  readonly #folder: string;
  readonly #file: LockedFile;

  constructor(stateFolder: string, workspace: string) {
    this.#folder = join(stateFolder, 'tokens');
    const name = createHash('sha256').update(workspace).digest('hex').slice(0, 32);
    this.path = join(this.#folder, `${name}.json`);
    this.#file = new LockedFile(this.path);
  }

  async update(change: (spent: readonly Spending[]) => readonly Spending[]): Promise<Result<void>> {
    try {
      const folder = await openStateFolder(this.#folder);
      if (!folder.success) return folder;
      const changed = await this.#file.change((replace) => this.#apply(change, replace));
      return changed?.value ?? unusable(this.path, 'another process holds it all the time');
    } catch (error) {
      return unusable(this.path, error instanceof Error ? error.message : String(error));
    }
  }

  async #apply(
    change: (spent: readonly Spending[]) => readonly Spending[],
    replace: (text: string) => Promise<void>,
  ): Promise<Result<void>> {
    const spent = await this.#read();
    // A file that cannot be parsed is not overwritten: an emptied ledger would reset the limit.
    if (spent === undefined) return unusable(this.path, 'it is damaged; remove it to count from nothing');
    const next = change(spent);
    if (next !== spent) await replace(`${JSON.stringify({ version: 1, spent: next })}\n`);
    return Result.ok(undefined);
  }

  async #read(): Promise<readonly Spending[] | undefined> {
    const file = await readForeignFile(this.path, { maxBytes: MAX_LEDGER_BYTES, links: 'anywhere' });
    if (file.kind === 'missing') return [];
    return file.kind === 'bytes' ? parseSpendings(file.bytes.toString('utf8')) : undefined;
  }
}

function parseSpendings(text: string): readonly Spending[] | undefined {
  try {
    const stored: unknown = JSON.parse(text);
    if (!isJsonObject(stored) || stored.version !== 1 || !Array.isArray(stored.spent)) return undefined;
    return stored.spent.every(isSpending) ? stored.spent : undefined;
  } catch {
    // Not JSON: the same to the caller as JSON of another shape.
    return undefined;
  }
}

function unusable(path: string, why: string): Result<never> {
  return Result.failure(`The account of tokens (${path}) cannot be used: ${why}.`, 'TokenLedgerUnavailable');
}
