import { randomBytes } from 'node:crypto';
import { chmod, mkdir } from 'node:fs/promises';
import { basename, dirname, parse } from 'node:path';
import { Result } from '../../domain/result.js';
import { unifiedDiff } from '../file/text/unified-diff.js';
import { replaceFile } from '../state/atomic-file.js';
import { readForeignFile } from '../state/foreign-file.js';
import { holdFolder } from '../state/held-folder.js';
import type { ClientFile } from './client-files.js';
import { type FollowedLink, followedLink, namesBelow } from './followed-link.js';
import { type EntryPlace, withJsonEntry, withoutJsonEntry } from './json-entry.js';
import type { ServerEntry } from './server-entry.js';
import { withoutTomlEntry, withTomlEntry } from './toml-entry.js';

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

/** The entry of one server in the file of one client. */
export class ClientRegistration {
  constructor(
    private readonly file: ClientFile,
    private readonly name: string,
  ) {}

  async add(entry: ServerEntry): Promise<Result<PlannedChange>> {
    const change = this.file.format === 'json' ? withJsonEntry : withTomlEntry;
    return this.#plan((text, place) => change(text, place, entry));
  }

  async remove(): Promise<Result<PlannedChange>> {
    return this.#plan(this.file.format === 'json' ? withoutJsonEntry : withoutTomlEntry);
  }

  /** What a person would paste into an empty file. */
  async print(entry: ServerEntry): Promise<string> {
    const change = this.file.format === 'json' ? withJsonEntry : withTomlEntry;
    const printed = await change('', this.#place, entry);
    return printed.success ? printed.value : '';
  }

  get #place(): EntryPlace {
    return { file: this.file.path, under: this.file.under, name: this.name };
  }

  async #plan(
    change: (text: string, place: EntryPlace) => Promise<Result<string>> | Result<string>,
  ): Promise<Result<PlannedChange>> {
    const { path, root } = this.file;
    const led = followedLink(root, path);
    if (!led.success) return led;
    const read = await readText(path);
    if (!read.success) return read;
    const before = read.value.text;
    const mark = before.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
    const changed = await change(before.slice(mark.length), this.#place);
    if (!changed.success) return changed;
    const after = `${mark}${changed.value}`;
    const diff = await unifiedDiff(path, before, after);
    const target: Target = { root, path, link: led.value };
    return Result.ok({ path, link: led.value, diff, apply: () => write(target, read.value, after) });
  }
}

interface Target {
  readonly root: string;
  readonly path: string;
  readonly link: FollowedLink | undefined;
}

interface ReadText {
  readonly text: string;
  readonly mode: number | undefined;
}

async function readText(path: string): Promise<Result<ReadText>> {
  const file = await readForeignFile(path, { maxBytes: MAX_BYTES, links: 'anywhere' });
  if (file.kind === 'missing') return Result.ok({ text: '', mode: undefined });
  if (file.kind === 'refused') return Result.failure(`${path} cannot be read: ${file.why}.`, 'Unreadable');
  return Result.ok({ text: file.bytes.toString('utf8'), mode: file.status.mode & 0o777 });
}

/** A link that a person agreed to stays a link. The folder is held, so that no other one takes its place. */
async function write(target: Target, { text: before, mode }: ReadText, after: string): Promise<Result<void>> {
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
  try {
    await replaceFile(file, after, randomBytes(8).toString('hex'), async () => {
      const now = await readText(path);
      if (!now.success || now.value.text !== before) throw new Error('it was changed meanwhile; try again');
    });
    await chmod(file, mode ?? NEW_FILE);
    return Result.ok(undefined);
  } catch (error) {
    return notWritten(error instanceof Error ? error.message : String(error));
  } finally {
    held.value.release();
  }
}
