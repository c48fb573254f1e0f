/** Hands mutants to a process of run-mutants.ts, and to another one when it ends before they are all tried. */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Mutant } from './instrument.js';
import type { Fate, Job, Message } from './run-mutants.js';

/** A mutant that says nothing for so long has been noticed: a test would have run into its timeout. */
const PATIENCE_MS = 60_000;

/** `endless`: the process hung or died over it. */
export type Outcome = Fate | 'endless';

export class MutantProcess {
  readonly #folder: string;
  readonly #bundles: readonly string[];
  readonly #outcomes: Map<number, Outcome>;
  #trying: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(folder: string, bundles: readonly string[], outcomes: Map<number, Outcome>) {
    this.#folder = folder;
    this.#bundles = bundles;
    this.#outcomes = outcomes;
  }

  /** Without mutants it only finds out what the tests reach. */
  async run(mutants: readonly Mutant[]): Promise<void> {
    let left = mutants;
    do {
      this.#trying = undefined;
      await this.#runOnce(left);
      if (this.#trying !== undefined) this.#outcomes.set(this.#trying, 'endless');
      const next = left.filter(({ id }) => !this.#outcomes.has(id));
      if (next.length > 0 && next.length === left.length) throw new Error('No mutant was tried; see above.');
      left = next;
    } while (left.length > 0);
  }

  #runOnce(mutants: readonly Mutant[]): Promise<void> {
    return new Promise((done, fail) => {
      const child = fork(join(this.#folder, 'scripts/mutate/run-mutants.ts'), {
        cwd: this.#folder,
        execArgv: ['--import', 'tsx', '--import', './tests/support/setup.ts'],
      });
      child.on('message', (message: Message) => this.#hear(message, child));
      child.on('error', fail);
      child.on('exit', () => {
        clearTimeout(this.#timer);
        done();
      });
      const job: Job = { bundles: this.#bundles, mutants, reachFile: join(this.#folder, 'reach.json') };
      child.send(job);
    });
  }

  #hear(message: Message, child: ChildProcess): void {
    clearTimeout(this.#timer);
    switch (message.kind) {
      case 'failing':
        console.error(`left out, it fails without a mutant: ${message.title}`);
        return;
      case 'trying':
        this.#trying = message.id;
        this.#timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
        return;
      case 'unsure':
        this.#trying = undefined;
        return;
      case 'tried':
        this.#trying = undefined;
        this.#outcomes.set(message.id, message.fate);
        if (message.fate === 'survived')
          console.error(`${this.#outcomes.size}: mutant ${message.id} survived`);
        return;
    }
  }
}
