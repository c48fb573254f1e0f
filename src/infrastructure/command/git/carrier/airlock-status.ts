import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import type { AirlockPlace, AirlockStatus, CarryReport, KeptTip } from './carrier-messages.js';
import { BaseLog } from './sides/base-log.js';
import { HeldTree } from './sides/held-tree.js';
import { type Items, Side } from './sides/snapshot.js';
import { unitsOf } from './sides/units.js';
import { trustedGit } from './trusted-git.js';

const MOST_WAITING = 200;
const RESTORED = 'refs/heads/restored';

const NOTHING: CarryReport = {
  changed: false,
  busy: false,
  conflicts: [],
  inside: [],
  notes: [],
  commits: 0,
  unsigned: false,
};

/** What an airlock has to tell people; changes nothing. */
export function statusReport(place: AirlockPlace): CarryReport {
  const base = new BaseLog(`${place.state}/base.jsonl`);
  base.refresh();
  const aside = `${place.state}/aside`;
  const isSetUp = base.units.size > 0 && existsSync(place.private);
  return {
    ...NOTHING,
    status: {
      isSetUp,
      waiting: isSetUp ? waitingAt(place, base).slice(0, MOST_WAITING) : [],
      conflicts: namesIn(place.real, 'refs/airlock'),
      kept: keptTips(place),
      aside: existsSync(aside) ? readdirSync(aside).map((name) => `${aside}/${name}`) : [],
    },
  };
}

/** What commands have not passed on yet is put aside; the next carriage begins with what the user has. */
export function discardInside(place: AirlockPlace): CarryReport {
  if (!existsSync(place.private)) return NOTHING;
  const aside = `${place.state}/aside/${Date.now()}`;
  mkdirSync(dirname(aside), { recursive: true });
  renameSync(place.private, aside);
  return { ...NOTHING, changed: true, notes: [aside] };
}

function waitingAt(place: AirlockPlace, base: BaseLog): readonly AirlockStatus['waiting'][number][] {
  const trees = [new HeldTree(place.private), new HeldTree(place.real)] as const;
  try {
    return [...waitingIn(base, { inside: new Side(trees[0]), outside: new Side(trees[1]) })];
  } finally {
    for (const tree of trees) tree.close();
  }
}

/** Items that one side has changed since both were as one. */
function* waitingIn(
  base: BaseLog,
  { inside, outside }: { readonly inside: Side; readonly outside: Side },
): Generator<AirlockStatus['waiting'][number]> {
  for (const [side, all] of [
    ['commands', inside],
    ['user', outside],
  ] as const) {
    for (const unit of unitsOf(all.tree)) {
      const known = base.units.get(unit.path);
      const before: Items = (side === 'commands' ? known?.inside : known?.outside) ?? new Map();
      const now = all.items(unit);
      // Hooks are only ever copied inside, all of them at once.
      for (const name of new Set([...before.keys(), ...now.keys()]))
        if (name !== 'hooks' && before.get(name) !== now.get(name))
          yield { side, item: unit.path === '' ? name : `${unit.path}: ${name}` };
    }
  }
}

function keptTips({ state }: AirlockPlace): readonly KeptTip[] {
  const folder = `${state}/kept.git`;
  if (!existsSync(folder)) return [];
  return namesIn(folder, 'refs/kept', '%(refname) %(objectname)').flatMap((line) => {
    const [, seconds, name, tip] = /^refs\/kept\/(\d+)\/(\S+) ([0-9a-f]+)$/.exec(line) ?? [];
    return name === undefined || tip === undefined
      ? []
      : [{ name, tip, at: new Date(Number(seconds) * 1_000).toISOString() }];
  });
}

function namesIn(folder: string, below: string, format = '%(refname)'): readonly string[] {
  const { out } = trustedGit(['for-each-ref', `--format=${format}`, `${below}/`], { folder });
  return out
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
}

/** Gives the user a kept commit back, as a branch of its own, which the report names. */
export function restoreTip(place: AirlockPlace, tip: string): CarryReport {
  const kept = keptTips(place).find((one) => one.tip.startsWith(tip));
  if (kept === undefined) throw new Error(`No kept commit begins with ${tip}.`);
  const branch = `${RESTORED}-${kept.tip.slice(0, 12)}`;
  const folder = `${place.state}/kept.git`;
  const pack = trustedGit(['pack-objects', '--revs', '--stdout', '-q'], { folder, input: `${kept.tip}\n` });
  const taken = pack.isDone
    ? trustedGit(['index-pack', '--stdin'], { folder: place.real, input: pack.out })
    : undefined;
  if (!taken?.isDone)
    throw new Error(`${kept.tip} could not be read: ${pack.complaint}${taken ? taken.complaint : ''}`);
  const isCommit = trustedGit(['cat-file', '-e', `${kept.tip}^{commit}`], { folder: place.real }).isDone;
  const name = isCommit ? branch : branch.replace('refs/heads/', 'refs/tags/');
  const named = trustedGit(['update-ref', name, kept.tip], { folder: place.real });
  if (!named.isDone) throw new Error(`${name} could not be made: ${named.complaint}`);
  return { ...NOTHING, changed: true, notes: [name] };
}
