/** Which tests reach which mutant, found by running them all once without one. */
import { MutantSwitch } from './mutant-switch.js';
import { LOADING, runTestFile } from './test-file.js';

/** Slower tests are not asked: nearly all of them repeat what others say, many times over. Times are of the processor. */
const LONGEST_TEST_MS = 500;

/** The tests that reach a mutant are asked, the cheap files first, until they would have taken this long. */
const LONGEST_ASKED_MS = 3000;

interface ReachingTest {
  readonly title: string;
  readonly ms: number;
  readonly mutants: readonly number[];
}

export interface FileReach {
  readonly file: string;
  /** What runs as soon as the file is loaded. */
  readonly loaded: readonly number[];
  readonly loadMs: number;
  readonly tests: readonly ReachingTest[];
  readonly failing: readonly string[];
}

class ProcessorClock {
  #last = process.cpuUsage();

  lap(): number {
    const { user, system } = process.cpuUsage(this.#last);
    this.#last = process.cpuUsage();
    return (user + system) / 1000;
  }
}

export async function findReach(file: string): Promise<FileReach> {
  const mutants = new MutantSwitch();
  mutants.record();
  const clock = new ProcessorClock();
  let loaded: readonly number[] = [];
  let loadMs = 0;
  const tests: ReachingTest[] = [];
  const failing = await runTestFile(file, undefined, {
    loaded: () => {
      loaded = mutants.takeReached();
      loadMs = clock.lap();
    },
    ended: (test) =>
      tests.push({
        title: test.fullTitle(),
        ms: clock.lap(),
        mutants: mutants.takeReached(),
      }),
  });
  return { file, loaded, loadMs, tests, failing };
}

/** What is to run of a file for one mutant. */
export interface Question {
  readonly file: string;
  readonly titles: ReadonlySet<string>;
  readonly ms: number;
}

export class TestReach {
  readonly #questions = new Map<number, Question[]>();
  readonly #loaded = new Set<number>();

  constructor(files: readonly FileReach[]) {
    for (const file of files) this.#add(file);
  }

  /** `static`: only while files are loaded, which tests share and cannot tell apart. */
  reachOf(mutant: number): 'tests' | 'static' | 'nothing' {
    if (this.#questions.has(mutant)) return 'tests';
    return this.#loaded.has(mutant) ? 'static' : 'nothing';
  }

  /** The files that reach a mutant: those that found many mutants near it first, then the cheap ones. */
  questionsFor(mutant: number, found: ReadonlyMap<string, number>): readonly Question[] {
    const all = (this.#questions.get(mutant) ?? []).toSorted(
      (one, other) => (found.get(other.file) ?? 0) - (found.get(one.file) ?? 0) || one.ms - other.ms,
    );
    let ms = 0;
    return all.filter((question) => {
      const fits = ms < LONGEST_ASKED_MS;
      ms += question.ms;
      return fits;
    });
  }

  #add({ file, loaded, loadMs, tests, failing }: FileReach): void {
    if (failing.includes(LOADING)) return;
    const broken = new Set(failing);
    for (const mutant of loaded) this.#loaded.add(mutant);
    const titles = new Map<number, { titles: Set<string>; ms: number }>();
    for (const { title, ms, mutants } of tests) {
      if (broken.has(title) || ms > LONGEST_TEST_MS) continue;
      for (const mutant of mutants) {
        const entry = titles.get(mutant) ?? { titles: new Set(), ms: loadMs };
        entry.titles.add(title);
        entry.ms += ms;
        titles.set(mutant, entry);
      }
    }
    for (const [mutant, entry] of titles) {
      const questions = this.#questions.get(mutant) ?? [];
      questions.push({ file, ...entry });
      this.#questions.set(mutant, questions);
    }
  }
}
