import type { Carriage } from './carriage.js';
import { OBJECT_NAME } from './rules/ref-names.js';
import { join, packedText } from './sides/refs.js';
import type { Items } from './sides/snapshot.js';
import { isWhole, type Unit } from './sides/units.js';

const MAX_PACKED = 256 * 1024 * 1024;

/** Writes refs of the private side as git would, each under its lock. Answers those that were written. */
export function writeRefs(
  run: Carriage,
  unit: Unit,
  names: readonly string[],
  real: Items,
  isNew: boolean,
): readonly string[] {
  if (names.length === 0) return [];
  if (isNew && isWhole(unit)) return writeAll(run, unit, names, real);
  const gone = names.filter((name) => !real.has(name));
  const isUnpacked = gone.length === 0 || !isWhole(unit) || removePacked(run, unit, new Set(gone));
  const written = isUnpacked ? gone.filter((name) => writeOne(run, unit, name, undefined)) : [];
  if (!isUnpacked) run.busy = true;
  return [...written, ...names.filter((name) => real.has(name) && writeOne(run, unit, name, real.get(name)))];
}

/** The first time: all of them in one file. */
function writeAll(run: Carriage, unit: Unit, names: readonly string[], real: Items): readonly string[] {
  const refs = new Map([...real].filter(([name]) => name.startsWith('refs/')));
  const { peeled, refs: packed } = run.outside.refs.packed(unit.path);
  const known = new Map([...peeled].filter(([name]) => packed.get(name) === refs.get(name)));
  run.inside.tree.write(join(unit.path, 'packed-refs'), packedText(refs, known));
  for (const [name, value] of refs)
    if (!OBJECT_NAME.test(value)) run.inside.tree.write(join(unit.path, name), `${value}\n`);
  return names;
}

/** false: a command holds its lock, or something lies in the way; it is tried again. */
function writeOne(run: Carriage, unit: Unit, name: string, value: string | undefined): boolean {
  const { tree, refs } = run.inside;
  const path = join(unit.path, name);
  const before = refs.one(unit.path, name, isWhole(unit));
  try {
    if (!tree.create(`${path}.lock`, value === undefined ? '' : `${value}\n`)) throw new Error('locked');
    if (refs.one(unit.path, name, isWhole(unit)) !== before) {
      tree.remove(`${path}.lock`);
      throw new Error('changed');
    }
    if (value !== undefined) tree.rename(`${path}.lock`, path);
    else {
      tree.remove(path);
      tree.remove(`${path}.lock`);
      tree.removeEmptyAbove(path, (folder) => !/(?:^|\/)refs\/.+\/.+$/.test(folder));
    }
    return true;
  } catch {
    tree.remove(`${path}.lock`);
    run.busy = true;
    return false;
  }
}

function removePacked(run: Carriage, unit: Unit, gone: ReadonlySet<string>): boolean {
  const { tree } = run.inside;
  const path = join(unit.path, 'packed-refs');
  const packed = run.inside.refs.packed(unit.path).refs;
  if (![...gone].some((name) => packed.has(name))) return true;
  if (!tree.create(`${path}.lock`, '')) return false;
  let isSkipped = false;
  const text = tree.read(path, MAX_PACKED)?.toString('utf8') ?? '';
  const kept = text.split('\n').filter((line) => {
    if (!line.startsWith('^')) isSkipped = gone.has(line.slice(line.indexOf(' ') + 1));
    return !isSkipped;
  });
  tree.write(path, kept.join('\n'));
  tree.remove(`${path}.lock`);
  return true;
}
