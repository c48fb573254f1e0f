import type { ArgumentValues } from '../../application/call/runnable-tool.js';
import type { ShownAnswer } from '../../application/call/shown-answer.js';
import { isJsonObject } from '../../domain/json-value.js';
import { numberOf, objectsOf, textOf } from './json-fields.js';
import { plainName } from './plain-name.js';
import { valueText } from './value-text.js';

/** A path a line. */
export function showPaths(value: unknown): ShownAnswer {
  if (!Array.isArray(value) || value.length === 0) return { texts: [], notes: ['Nothing found.'] };
  return { texts: [value.map((path) => plainName(String(path))).join('\n')] };
}

/** `key: value` lines of what is known. */
export function showFacts(value: unknown): ShownAnswer {
  if (!isJsonObject(value)) return { texts: [valueText(value)] };
  const known = Object.entries(value).filter(
    ([key, fact]) => fact !== null && !(key === 'links' && fact === 1),
  );
  return { texts: [valueText(Object.fromEntries(known.map(([key, fact]) => [key, wholeSeconds(fact)])))] };
}

function wholeSeconds(fact: unknown): unknown {
  return typeof fact === 'string' ? fact.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d+Z$/, '$1Z') : fact;
}

/** A block a file. Its first line is the path, which no file can write. */
export function showFiles(value: unknown): ShownAnswer {
  const entries = objectsOf(value);
  const cut = entries.filter((entry) => numberOf(entry, 'next_offset') !== undefined);
  return {
    texts: entries.map((entry) => {
      const path = plainName(textOf(entry, 'path'));
      if (entry.success === true) return `${path}:\n${textOf(entry, 'content')}`;
      return `${path}: ${textOf(entry, 'error_type')}: ${textOf(entry, 'error')}`;
    }),
    notes: [
      ...cut.map(
        (entry) =>
          `${plainName(textOf(entry, 'path'))} continues: read_file with offset ${numberOf(entry, 'next_offset')}.`,
      ),
      ...entries
        .filter((entry) => textOf(entry, 'hint') !== '')
        .map((entry) => `${plainName(textOf(entry, 'path'))}: ${textOf(entry, 'hint')}`),
    ],
  };
}

/** What a tool did, in a sentence: the arguments are known to the caller. */
export function showMade(value: unknown): ShownAnswer {
  const fields = isJsonObject(value) ? value : {};
  const path = plainName(textOf(fields, 'path'));
  return { texts: [numberOf(fields, 'created') === 0 ? `${path} was there already.` : `Created ${path}`] };
}

export function showRemoved(value: unknown): ShownAnswer {
  const fields = isJsonObject(value) ? value : {};
  return { texts: [`Deleted ${plainName(textOf(fields, 'path'))}${countsOf(fields)}`] };
}

export function showTransfer(done: 'Moved' | 'Copied') {
  return (value: unknown, _args: ArgumentValues): ShownAnswer => {
    const fields = isJsonObject(value) ? value : {};
    const [source, destination] = [textOf(fields, 'source'), textOf(fields, 'destination')];
    const text = `${done} ${plainName(source)} to ${plainName(destination)}${countsOf(fields)}`;
    return { texts: [text] };
  };
}

/** Only where it was more than one file or folder. */
function countsOf(fields: Readonly<Record<string, unknown>>): string {
  const [files = 0, folders = 0] = [numberOf(fields, 'files'), numberOf(fields, 'directories')];
  return files + folders > 1 ? ` (files: ${files}, folders: ${folders})` : '';
}
