/**
 * A process of `npm run mutate`: finds out which tests reach which mutant, then switches the mutants on one by one and
 * runs the tests that reach each, until one fails. What it finds goes to the parent, which ends this process when a
 * mutant never comes back and starts another for the rest.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Mutant } from './instrument.js';
import { MutantSwitch } from './mutant-switch.js';
import { LOADING, runTestFile } from './test-file.js';
import { type FileReach, findReach, TestReach } from './test-reach.js';

/** What the parent hears of each mutant; `static` ones only act while files are loaded. */
export type Fate = 'killed' | 'survived' | 'unreached' | 'static';

export type Message =
  | { readonly kind: 'failing'; readonly title: string }
  | { readonly kind: 'trying'; readonly id: number }
  /** To be tried again, first of all in another process. */
  | { readonly kind: 'unsure'; readonly id: number }
  | { readonly kind: 'tried'; readonly id: number; readonly fate: Fate };

export interface Job {
  readonly bundles: readonly string[];
  readonly mutants: readonly Mutant[];
  /** Where the reach of the tests is kept for the processes after the first. */
  readonly reachFile: string;
}

/** What mutants leave behind stays in memory: another process goes on before there is too much. */
const MOST_MEMORY = 2_000_000_000;

function tell(message: Message): void {
  process.send?.(message);
}

async function reachOf({ bundles, reachFile }: Job): Promise<TestReach> {
  if (existsSync(reachFile)) return new TestReach(JSON.parse(readFileSync(reachFile, 'utf8')));
  const files: FileReach[] = [];
  for (const bundle of bundles) files.push(await findReach(bundle));
  for (const { file, failing } of files)
    for (const title of failing) tell({ kind: 'failing', title: `${file}: ${title}` });
  writeFileSync(reachFile, JSON.stringify(files));
  return new TestReach(files);
}

class Trial {
  readonly #reach: TestReach;
  readonly #mutants = new MutantSwitch();
  /** Source file to test file to how many mutants it found. */
  readonly #finders = new Map<string, Map<string, number>>();

  constructor(reach: TestReach) {
    this.#reach = reach;
  }

  /** `unsure`: the test that noticed the mutant fails without it, too, so what ran before has left something. */
  async try({ id, file }: Mutant): Promise<'killed' | 'survived' | 'unsure'> {
    const found = this.#finders.get(file) ?? new Map<string, number>();
    this.#finders.set(file, found);
    for (const question of this.#reach.questionsFor(id, found)) {
      this.#mutants.turnOn(id);
      const [failure] = await runTestFile(question.file, question.titles, {
        started: () => this.#mutants.restart(),
      });
      this.#mutants.turnOff();
      if (failure === undefined) continue;
      found.set(question.file, (found.get(question.file) ?? 0) + 1);
      return (await this.#passes(question.file, failure)) ? 'killed' : 'unsure';
    }
    return 'survived';
  }

  async #passes(file: string, title: string): Promise<boolean> {
    if (title === LOADING) return true;
    const failing = await runTestFile(file, new Set([title]));
    return failing.length === 0;
  }
}

async function work(job: Job): Promise<void> {
  const reach = await reachOf(job);
  const trial = new Trial(reach);
  let isFirst = true;
  for (const mutant of job.mutants) {
    const { id } = mutant;
    const reached = reach.reachOf(id);
    if (reached !== 'tests') {
      tell({ kind: 'tried', id, fate: reached === 'static' ? 'static' : 'unreached' });
      continue;
    }
    tell({ kind: 'trying', id });
    const outcome = await trial.try(mutant);
    if (outcome === 'unsure' && !isFirst) return tell({ kind: 'unsure', id });
    tell({ kind: 'tried', id, fate: outcome === 'survived' ? 'survived' : 'killed' });
    if (outcome === 'unsure' || process.memoryUsage.rss() > MOST_MEMORY) return;
    isFirst = false;
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
