import { randomBytes } from 'node:crypto';
import { existsSync, rmdirSync, rmSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { basename, dirname, join, parse } from 'node:path';
import { Result } from '../../domain/result.js';
import { unifiedDiff } from '../file/text/unified-diff.js';
import { replaceFile } from '../state/atomic-file.js';
import { errnoOf } from '../state/errno.js';
import { readForeignFile } from '../state/foreign-file.js';
import { holdFolder } from '../state/held-folder.js';
import { type FollowedLink, followedLink, namesBelow } from './followed-link.js';
import { recordChange, type SettingsRecord, type SettingsRecords, undo } from './settings-record.js';

const MAX_BYTES = 16 * 1024 * 1024;
const BYTE_ORDER_MARK = '\uFEFF';
const NEW_FILE = 0o644;
const NEW_FOLDER = 0o755;

/** What would change in a client's file. */
export interface PlannedChange {
  readonly path: string;
  /** Set if the path leads elsewhere: a person has to agree to that. */
  readonly link: FollowedLink | undefined;
  /** As `diff -u` shows it; empty where nothing would change. */
  readonly diff: string;
  /** Writes it in one step, unless the file changed since it was read. */
  apply(): Promise<Result<void>>;
}

/** Each text is one step further; the last one is what is written. */
export type ChangeText = (text: string) => Promise<Result<readonly string[]>>;

interface ReadText {
  /** Undefined: there is no file. */
  readonly text: string | undefined;
  readonly mode: number | undefined;
}

interface Target {
  readonly root: string;
  readonly path: string;
  readonly link: FollowedLink | undefined;
}

/** A file of a client's settings, of which we change a part and remember what. */
export class SettingsFile {
  constructor(
    readonly root: string,
    readonly path: string,
    /** Whose part it is: the name of the server. */
    private readonly name: string,
    private readonly records: SettingsRecords,
  ) {}

  async change(change: ChangeText): Promise<Result<PlannedChange>> {
    return this.#plan(async ({ text }) => {
      const mark = text?.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
      const changed = await change((text ?? '').slice(mark.length));
      if (!changed.success) return changed;
      const texts = changed.value.map((step) => `${mark}${step}`);
      const after = texts.at(-1) ?? text;
      const known = text === undefined ? undefined : this.records.read(this.path);
      const folders = missingFolders(this.root, this.path);
      const record = recordChange(known, { before: text, texts, name: this.name }, folders);
      return Result.ok({ after, done: () => this.records.write(this.path, record) });
    });
  }

  /** `rest` finds what is ours where we have no record of it, or somebody changed it since. */
  async restore(rest: ChangeText): Promise<Result<PlannedChange>> {
    return this.#plan(async ({ text }) => {
      const record = this.records.read(this.path);
      const done = () => this.#forget(record);
      if (text === undefined) return Result.ok({ after: undefined, done });
      const undone = record === undefined ? { text, exact: false } : undo(text, record, this.name);
      if (undone.exact && record?.existed === false) return Result.ok({ after: undefined, done });
      if (undone.exact) return Result.ok({ after: undone.text, done });
      const left = await rest(undone.text);
      if (!left.success) return left;
      return Result.ok({ after: left.value.at(-1) ?? undone.text, done });
    });
  }

  #forget(record: SettingsRecord | undefined): void {
    const others = record?.splices.filter(({ name }) => name !== this.name) ?? [];
    if (record !== undefined && others.length > 0) {
      const { before: _, ...rest } = record;
      this.records.write(this.path, { ...rest, splices: others });
      return;
    }
    this.records.remove(this.path);
    if (!existsSync(this.path))
      for (const folder of record?.folders.toReversed() ?? []) removeIfEmpty(folder);
  }

  async #plan(
    work: (read: ReadText) => Promise<Result<{ readonly after: string | undefined; done(): void }>>,
  ): Promise<Result<PlannedChange>> {
    const { path, root } = this;
    const led = followedLink(root, path);
    if (!led.success) return led;
    const read = await readText(path);
    if (!read.success) return read;
    const planned = await work(read.value);
    if (!planned.success) return planned;
    const { after, done } = planned.value;
    const isSame = after === read.value.text;
    const diff = isSame ? '' : await unifiedDiff(path, read.value.text ?? '', after ?? '');
    const target: Target = { root, path, link: led.value };
    const apply = async () => {
      const written = await write(target, read.value, after);
      if (written.success) done();
      return written;
    };
    return Result.ok({ path, link: led.value, diff, apply });
  }
}

async function readText(path: string): Promise<Result<ReadText>> {
  const file = await readForeignFile(path, { maxBytes: MAX_BYTES, links: 'anywhere' });
  if (file.kind === 'missing') return Result.ok({ text: undefined, mode: undefined });
  if (file.kind === 'refused') return Result.failure(`${path} cannot be read: ${file.why}.`, 'Unreadable');
  return Result.ok({ text: file.bytes.toString('utf8'), mode: file.status.mode & 0o777 });
}

/** A link that a person agreed to stays a link. The folder is held, so that no other one takes its place. */
async function write(
  target: Target,
  { text: before, mode }: ReadText,
  after: string | undefined,
): Promise<Result<void>> {
  const { root, path, link } = target;
  const notWritten = (why: string) =>
    Result.failure(`${path} cannot be written: ${why}. Nothing was changed.`, 'NotWritten');
  const now = followedLink(root, path);
  if (!now.success || now.value?.to !== link?.to)
    return notWritten('a link was changed meanwhile; try again');
  if (link === undefined) await mkdir(root, { recursive: true });
  const [base, real] = link === undefined ? [root, path] : [parse(link.to).root, link.to];
  const held = holdFolder(base, namesBelow(base, dirname(real)), link === undefined ? NEW_FOLDER : undefined);
  if (!held.success) return notWritten(held.error.replace(/\.$/, ''));
  const file = held.value.entry(basename(real));
  const check = async () => {
    const found = await readText(path);
    if (!found.success || found.value.text !== before) throw new Error('it was changed meanwhile; try again');
  };
  try {
    if (after === undefined) {
      await check();
      rmSync(file, { force: true });
      return Result.ok(undefined);
    }
    await replaceFile(file, after, randomBytes(8).toString('hex'), check);
    await chmod(file, mode ?? NEW_FILE);
    return Result.ok(undefined);
  } catch (error) {
    return notWritten(error instanceof Error ? error.message : String(error));
  } finally {
    held.value.release();
  }
}

function missingFolders(root: string, path: string): readonly string[] {
  const folders: string[] = [];
  let at = root;
  for (const name of namesBelow(root, dirname(path))) {
    at = join(at, name);
    if (!existsSync(at)) folders.push(at);
  }
  return folders;
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    // Somebody has put something there, or has taken it away.
    if (errnoOf(error) === undefined) throw error;
  }
}
