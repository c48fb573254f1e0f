import { Result } from '../../domain/result.js';
import type { EntryPlace } from './json-entry.js';
import type { EntryValue, ServerEntry } from './server-entry.js';

interface Line {
  readonly text: string;
  /** The table that the line opens; undefined on every other line, and inside of a text of several lines. */
  readonly header?: string;
  /** The table that the line belongs to. */
  readonly table: string;
}

/** The text with the entry as a table of its own, which replaces the one there was; other lines stay as they are. */
export function withTomlEntry(text: string, place: EntryPlace, entry: ServerEntry): Result<string> {
  const table = `${place.under}.${place.name}`;
  const lines = readLines(text);
  if (definesOtherwise(lines, place)) return written(place);
  const block = Object.entries(entry).map(([key, value]) => `${key} = ${tomlValue(value)}`);
  const at = lines.findIndex((line) => line.header === table);
  if (at === -1) {
    const before = text === '' || text.endsWith('\n') ? text : `${text}\n`;
    const gap = before === '' ? '' : '\n';
    return Result.ok(`${before}${gap}${[`[${table}]`, ...block].join('\n')}\n`);
  }
  const next = lines.findIndex((line, index) => index > at && line.header !== undefined);
  const end = next === -1 ? lines.length : next;
  const own = statements(lines.slice(at + 1, end));
  if (block.every((line) => own.includes(line))) return Result.ok(text);
  // What somebody added to the entry stays: comments, time-outs.
  const kept = own.filter((statement) => !Object.hasOwn(entry, keyOf(statement)) && statement.trim() !== '');
  const texts = (part: readonly Line[]) => part.map((line) => line.text);
  const changed = [...texts(lines.slice(0, at + 1)), ...block, ...kept, '', ...texts(lines.slice(end))];
  return Result.ok(changed.join('\n'));
}

/** The text without the entry and the tables below it. */
export function withoutTomlEntry(text: string, place: EntryPlace): Result<string> {
  const table = `${place.under}.${place.name}`;
  const lines = readLines(text);
  if (definesOtherwise(lines, place)) return written(place);
  const kept = lines.filter((line) => line.table !== table && !line.table.startsWith(`${table}.`));
  if (kept.length === lines.length) return Result.ok(text);
  const joined = kept.map((line) => line.text).join('\n');
  return Result.ok(joined === '' ? '' : `${joined.trimEnd()}\n`);
}

/** The text with the value of one key; `table` is empty for a key of the file itself. */
export function withTomlValue(
  text: string,
  { file, table, key }: { readonly file: string; readonly table: string; readonly key: string },
  value: string | boolean,
): Result<string> {
  const lines = readLines(text);
  const place: EntryPlace = { file, under: table, name: key };
  if (
    table !== '' &&
    definesOtherwise(
      lines.filter((line) => line.table === ''),
      place,
    )
  )
    return written(place);
  const statement = `${key} = ${tomlValue(value)}`;
  const at = lines.findIndex(
    (line) => line.table === table && line.header === undefined && keyOf(line.text) === key,
  );
  const texts = lines.map((line) => line.text);
  if (at !== -1) {
    if (opened(texts[at] ?? '') > 0) return written(place);
    if (texts[at]?.trim() === statement) return Result.ok(text);
    return Result.ok(texts.with(at, statement).join('\n'));
  }
  if (table === '') return Result.ok(`${statement}\n${text}`);
  const header = lines.findIndex((line) => line.header === table);
  if (header !== -1) return Result.ok(texts.toSpliced(header + 1, 0, statement).join('\n'));
  const before = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  return Result.ok(`${before}${before === '' ? '' : '\n'}[${table}]\n${statement}\n`);
}

/** A table can be written in other ways, which we do not rewrite. */
function definesOtherwise(lines: readonly Line[], { under, name }: EntryPlace): boolean {
  return lines.some(({ text, table, header }) => {
    if (header !== undefined) return false;
    const key = /^\s*([^=#]+?)\s*=/.exec(text)?.[1]?.replaceAll(/["'\s]/g, '') ?? '';
    if (table === '')
      return key === under || key === `${under}.${name}` || key.startsWith(`${under}.${name}.`);
    return table === under && (key === name || key.startsWith(`${name}.`));
  });
}

function written({ file, under, name }: EntryPlace): Result<never> {
  return Result.failure(
    `${file} defines ${under} without a table of its own for ${name}. Nothing was changed; ` +
      'use --print and put the entry there by hand.',
    'InvalidClientFile',
  );
}

function readLines(text: string): readonly Line[] {
  let table = '';
  let quote: string | undefined;
  let depth = 0;
  return text.split('\n').map((line) => {
    const inside = quote !== undefined || depth > 0;
    quote = quoteAfter(line, quote);
    const header = inside ? undefined : /^\s*\[{1,2}\s*([^\]]+?)\s*\]{1,2}\s*(?:#.*)?$/.exec(line)?.[1];
    if (header === undefined) {
      depth = Math.max(0, depth + opened(line));
      return { text: line, table };
    }
    table = header.replaceAll(/["'\s]/g, '');
    return { text: line, header: table, table };
  });
}

/** Values that take several lines are one statement. */
function statements(lines: readonly Line[]): readonly string[] {
  const all: string[] = [];
  let depth = 0;
  for (const { text } of lines) {
    if (depth > 0) all.push(`${all.pop() ?? ''}\n${text}`);
    else all.push(text);
    depth = Math.max(0, depth + opened(text));
  }
  return all.map((statement) => statement.trimEnd());
}

function keyOf(statement: string): string {
  return /^\s*([\w-]+)\s*=/.exec(statement)?.[1] ?? '';
}

/** How many brackets a line opens more than it closes. */
function opened(line: string): number {
  const bare = line.replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'/g, '').replace(/#.*/, '');
  return (bare.match(/[[{]/g)?.length ?? 0) - (bare.match(/[\]}]/g)?.length ?? 0);
}

/** The triple quote that is still open after the line. */
function quoteAfter(line: string, open: string | undefined): string | undefined {
  let quote = open;
  for (const [found] of line.matchAll(/"""|'''/g)) {
    if (quote === undefined) quote = found;
    else if (quote === found) quote = undefined;
  }
  return quote;
}

function tomlValue(value: EntryValue): string {
  if (typeof value === 'string' || typeof value === 'boolean') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => JSON.stringify(item)).join(', ')}]`;
  return `{ ${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)} = ${JSON.stringify(item)}`)
    .join(', ')} }`;
}
