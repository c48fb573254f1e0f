/**
 * `npm run mutate [-- PART [STEP]]`: how many small changes of the code that decides and guards go unnoticed by the
 * tests. Texts are not changed, nor what only runs while a file is loaded (tables). PART keeps the files whose path
 * holds it, STEP tries every so many of the mutants, the same ones each time.
 *
 * Prints the survivors with file and line, then the score. Fails below 80 percent.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { instrument, type Mutant } from './mutate/instrument.js';
import type { Fate, Message } from './mutate/run-mutants.js';

/** What decides about a call, and what enforces the decision on files. */
const TARGETS = [
  'src/domain/permission',
  'src/domain/command',
  'src/application/call',
  'src/application/permission',
  'src/application/tool',
  'src/infrastructure/file/locate',
];

/** Tests that run in this process and need neither a sandbox nor a built server. */
const TESTS = [
  'tests/domain/permission',
  'tests/domain/command',
  'tests/domain/tool',
  'tests/application/call',
  'tests/application/permission',
  'tests/application/tool',
  'tests/infrastructure/shell',
  'tests/infrastructure/policy',
  'tests/infrastructure/file',
  'tests/contract/safe-file-system.test.ts',
  'tests/presentation/tools',
  'tests/presentation/mcp/surface',
  'tests/security/file-attacks-policy-alone.test.ts',
  'tests/security/forged-answers.test.ts',
  'tests/security/sed-differential.test.ts',
  'tests/composition/server/castellan.test.ts',
  'tests/composition/server/toolsets.test.ts',
];

const COPIED = ['src', 'tests', 'bench', 'config', 'docs', 'package.json', 'tsconfig.json'];

const LEAST_SCORE = 0.8;

/** A mutant that says nothing for so long has been noticed: a test would have run into its timeout. */
const PATIENCE_MS = 30_000;

type Outcome = Fate | 'endless';

const root = resolve(import.meta.dirname, '..');

function filesBelow(folders: readonly string[], ending: string): readonly string[] {
  return folders.flatMap((folder) =>
    folder.endsWith(ending)
      ? [folder]
      : readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
          .filter((name) => name.endsWith(ending))
          .map((name) => join(folder, name)),
  );
}

/** A copy of the project whose sources hold all their mutants. */
function makeInstrumentedCopy(part: string): { folder: string; mutants: readonly Mutant[] } {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-mutants-'));
  for (const name of COPIED) cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  cpSync(join(root, 'scripts/mutate'), join(folder, 'scripts/mutate'), { recursive: true });
  const mutants: Mutant[] = [];
  for (const file of filesBelow(TARGETS, '.ts').filter((name) => name.includes(part))) {
    const made = instrument(file, readFileSync(join(root, file), 'utf8'), mutants.length);
    writeFileSync(join(folder, file), made.text);
    mutants.push(...made.mutants);
  }
  return { folder, mutants };
}

class Worker {
  readonly #folder: string;
  readonly #outcomes: Map<number, Outcome>;
  #trying: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(folder: string, outcomes: Map<number, Outcome>) {
    this.#folder = folder;
    this.#outcomes = outcomes;
  }

  /** Tries each mutant; a process that hangs or dies over one is replaced, and the one counts as noticed. */
  async run(mutants: readonly number[]): Promise<void> {
    let left = mutants;
    while (left.length > 0) {
      this.#trying = undefined;
      await this.#runProcess(left);
      if (this.#trying !== undefined) this.#outcomes.set(this.#trying, 'endless');
      const next = left.filter((id) => !this.#outcomes.has(id));
      if (next.length === left.length) throw new Error('The tests do not load; see above.');
      left = next;
    }
  }

  #runProcess(mutants: readonly number[]): Promise<void> {
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
      child.send({
        tests: filesBelow(TESTS, '.test.ts').map((name) => join(this.#folder, name)),
        mutants,
        reachFile: join(this.#folder, 'reach.json'),
      });
    });
  }

  #hear(message: Message, child: ChildProcess): void {
    clearTimeout(this.#timer);
    switch (message.kind) {
      case 'ready':
        for (const title of message.failing) console.error(`left out, it fails without a mutant: ${title}`);
        return;
      case 'trying':
        this.#trying = message.id;
        this.#timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
        return;
      case 'tried':
        this.#trying = undefined;
        this.#outcomes.set(message.id, message.fate);
        return;
    }
  }
}

function report(mutants: readonly Mutant[], outcomes: ReadonlyMap<number, Outcome>): number {
  const count = (...wanted: Outcome[]) =>
    mutants.filter(({ id }) => wanted.includes(outcomes.get(id) ?? 'static')).length;
  for (const { id, file, line, change } of mutants) {
    const outcome = outcomes.get(id);
    if (outcome === 'survived' || outcome === 'unreached')
      console.log(`${file}:${line} ${change} (${outcome})`);
  }
  const noticed = count('killed', 'endless');
  const score = noticed / (noticed + count('survived', 'unreached'));
  console.log(
    `${mutants.length} mutants tried: ${count('killed')} killed, ${count('endless')} endless, ${count('survived')} survived, ` +
      `${count('unreached')} in code that no test here reaches, ${count('static')} not tried (static).\n` +
      `score ${(100 * score).toFixed(1)} %`,
  );
  return score;
}

const [part = '', step = '1'] = process.argv.slice(2);
const { folder, mutants: made } = makeInstrumentedCopy(part);
const mutants = made.filter(({ id }) => id % Number(step) === 0);
const outcomes = new Map<number, Outcome>();
try {
  const jobs = Math.max(1, availableParallelism() - 1);
  const shares = Array.from({ length: jobs }, (_, job) =>
    mutants.flatMap(({ id }, index) => (index % jobs === job ? [id] : [])),
  );
  await Promise.all(shares.map((share) => new Worker(folder, outcomes).run(share)));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = report(mutants, outcomes) < LEAST_SCORE ? 1 : 0;
