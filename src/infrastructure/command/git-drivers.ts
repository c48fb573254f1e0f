import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

type Entry = readonly [string, string];

const MAX_FILES = 20;
const SECTION = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/;
const INCLUDED = /^\s*path\s*=\s*"?([^"#;\n]+?)"?\s*$/i;

/** For each kind of section, the keys that run a program, with a value that runs none or fails. */
const PROGRAM_KEYS: Readonly<Record<string, readonly Entry[]>> = {
  filter: [
    ['clean', ''],
    ['smudge', ''],
    ['process', ''],
    ['required', 'false'],
  ],
  diff: [
    ['command', ''],
    ['textconv', ''],
  ],
  merge: [['driver', 'false']],
  remote: [
    ['uploadpack', 'git-upload-pack'],
    ['receivepack', 'git-receive-pack'],
  ],
};

/**
 * Entries that override what the configuration files of repositories would run: filters, drivers and transports
 * have names of their own, so that they can only be switched off one by one.
 */
export async function gitDriverOverrides(configs: readonly string[]): Promise<readonly Entry[]> {
  const overrides = new Map<string, string>();
  const queue = [...configs];
  for (let read = 0; read < MAX_FILES && queue.length > 0; read += 1) {
    const file = queue.shift() ?? '';
    const text = await readFile(file, 'utf8').catch(() => '');
    queue.push(...collect(text, overrides).map((path) => resolve(dirname(file), path)));
  }
  return [...overrides];
}

/** Answers with the files that this one includes. */
function collect(text: string, overrides: Map<string, string>): readonly string[] {
  const included: string[] = [];
  let inInclude = false;
  for (const line of text.split('\n')) {
    const section = SECTION.exec(line);
    if (section !== null) {
      const kind = (section[1] ?? '').toLowerCase();
      inInclude = kind.startsWith('include');
      override(kind, section[2], overrides);
    }
    // The key may stand on the line of its section.
    const path = inInclude ? INCLUDED.exec(line.replace(SECTION, ''))?.[1] : undefined;
    if (path !== undefined) included.push(path);
  }
  return included;
}

function override(kind: string, quoted: string | undefined, overrides: Map<string, string>): void {
  const [type = '', ...dotted] = kind.split('.');
  // [filter "x"] and the older [filter.x]
  const name = quoted?.replace(/\\(.)/g, '$1') ?? dotted.join('.');
  if (type === 'diff' && name === '') overrides.set('diff.external', '');
  if (name === '' || !Object.hasOwn(PROGRAM_KEYS, type)) return;
  for (const [key, value] of PROGRAM_KEYS[type] ?? []) overrides.set(`${type}.${name}.${key}`, value);
}
