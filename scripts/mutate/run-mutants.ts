/**
 * A process of `npm run mutate`: loads the tests over the instrumented sources once, finds out which tests reach which
 * mutant, then switches the mutants on one by one and runs the tests that reach each, until one fails. What it finds
 * goes to the parent, which ends this process when a mutant never comes back.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import Mocha from 'mocha';

/** What the parent hears of each mutant; `static` ones act while files are loaded, which a switch comes too late for. */
export type Fate = 'killed' | 'survived' | 'unreached' | 'static';

export type Message =
  | { readonly kind: 'ready'; readonly tests: number; readonly failing: readonly string[] }
  | { readonly kind: 'trying'; readonly id: number }
  | { readonly kind: 'tried'; readonly id: number; readonly fate: Fate };

interface Job {
  readonly tests: readonly string[];
  readonly mutants: readonly number[];
  /** Where the reach of the tests is kept for the processes after the first. */
  readonly reachFile: string;
}

interface Reach {
  readonly loaded: readonly number[];
  /** Title of a test to the mutants it reached. */
  readonly tests: Readonly<Record<string, readonly number[]>>;
  readonly failing: readonly string[];
}

declare global {
  var __mutant: (id: number) => boolean;
}

let active = -1;
let reached = new Set<number>();

function recordReach(): void {
  globalThis.__mutant = (id) => {
    reached.add(id);
    return false;
  };
}

function switchMutants(): void {
  globalThis.__mutant = (id) => id === active;
}

function tell(message: Message): void {
  process.send?.(message);
}

class Quiet extends Mocha.reporters.Base {
  override epilogue(): void {}
}

/** Tests by title: mocha asks `grep` of each. A suite without a wanted test does not run its hooks either. */
class Wanted extends RegExp {
  readonly #titles: ReadonlySet<string>;

  constructor(titles: ReadonlySet<string>) {
    super('');
    this.#titles = titles;
  }

  override test(title: string): boolean {
    return this.#titles.has(title);
  }
}

function runTests(mocha: Mocha, wanted: ReadonlySet<string> | undefined, onEnd: (test: Mocha.Test) => void) {
  return new Promise<readonly string[]>((done) => {
    const failing: string[] = [];
    mocha.bail(wanted !== undefined);
    mocha.grep(wanted === undefined ? /(?:)/u : new Wanted(wanted));
    const runner = mocha.run(() => done(failing));
    runner.on('fail', (test: Mocha.Test) => failing.push(test.fullTitle()));
    runner.on('test end', onEnd);
  });
}

async function findReach(mocha: Mocha): Promise<Reach> {
  const loaded = [...reached];
  const tests: Record<string, readonly number[]> = {};
  reached = new Set();
  const failing = await runTests(mocha, undefined, (test) => {
    tests[test.fullTitle()] = [...(tests[test.fullTitle()] ?? []), ...reached];
    reached = new Set();
  });
  return { loaded, tests, failing };
}

function testsByMutant(reach: Reach): ReadonlyMap<number, ReadonlySet<string>> {
  const broken = new Set(reach.failing);
  const byMutant = new Map<number, Set<string>>();
  for (const [title, ids] of Object.entries(reach.tests)) {
    if (broken.has(title)) continue;
    for (const id of ids) {
      const titles = byMutant.get(id) ?? new Set();
      byMutant.set(id, titles.add(title));
    }
  }
  return byMutant;
}

async function loadTests(files: readonly string[]): Promise<Mocha> {
  const mocha = new Mocha({ timeout: 20_000, reporter: Quiet });
  mocha.cleanReferencesAfterRun(false);
  for (const file of files) mocha.addFile(file);
  await mocha.loadFilesAsync();
  return mocha;
}

async function work(job: Job): Promise<void> {
  recordReach();
  const mocha = await loadTests(job.tests);
  const reach: Reach = existsSync(job.reachFile)
    ? JSON.parse(readFileSync(job.reachFile, 'utf8'))
    : await findReach(mocha);
  writeFileSync(job.reachFile, JSON.stringify(reach));
  tell({ kind: 'ready', tests: Object.keys(reach.tests).length, failing: reach.failing });
  switchMutants();
  const byMutant = testsByMutant(reach);
  const loaded = new Set(reach.loaded);
  for (const id of job.mutants) {
    const titles = byMutant.get(id);
    if (titles === undefined) {
      tell({ kind: 'tried', id, fate: loaded.has(id) ? 'static' : 'unreached' });
      continue;
    }
    tell({ kind: 'trying', id });
    active = id;
    const failing = await runTests(mocha, titles, () => undefined);
    active = -1;
    tell({ kind: 'tried', id, fate: failing.length > 0 ? 'killed' : 'survived' });
  }
}

process.once('message', (job: Job) => {
  work(job).then(
    () => process.exit(0),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
