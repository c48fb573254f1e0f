/**
 * `npm run mutate`: how many small changes of the code that decides and guards go unnoticed by the tests. Texts are not
 * changed, nor what only runs while a file is loaded (tables). With `--part PATH` the sources whose path holds it, with
 * `--tests PATH` asked of such tests only; `--step N` tries every Nth mutant, the same ones each time; `--jobs N`
 * processes work at once.
 *
 * Prints the survivors with file and line, then the score of each target. Fails below 80 percent.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleTests } from './mutate/bundle-tests.js';
import { instrument, type Mutant } from './mutate/instrument.js';
import { MutantProcess, type Outcome } from './mutate/mutant-process.js';

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
  'tests/application/call',
  'tests/application/permission',
  'tests/application/tool',
  'tests/infrastructure/shell',
  'tests/infrastructure/policy',
  'tests/infrastructure/file/guarded-file-walker.test.ts',
  'tests/infrastructure/file/locate',
  'tests/infrastructure/file/search',
  'tests/contract/safe-file-system.test.ts',
  'tests/presentation/tools/define-tool.test.ts',
  'tests/presentation/tools/declared-tools.test.ts',
  'tests/presentation/tools/file',
  'tests/presentation/mcp/surface/protocol-surface.test.ts',
  'tests/security/file-attacks-policy-alone.test.ts',
  'tests/composition/server/castellan.test.ts',
  'tests/composition/server/toolsets.test.ts',
];

/** They repeat for minutes what the tables say. */
const REPEATED = /properties|search-content/;

const COPIED = ['src', 'tests', 'bench', 'config', 'docs', 'package.json', 'tsconfig.json'];

const LEAST_SCORE = 0.8;

interface Copy {
  readonly folder: string;
  readonly mutants: readonly Mutant[];
  readonly bundles: readonly string[];
}

const root = resolve(import.meta.dirname, '..');

function filesBelow(base: string, folders: readonly string[], ending: string): readonly string[] {
  return folders.flatMap((folder) =>
    folder.endsWith(ending)
      ? [folder]
      : readdirSync(join(base, folder), { recursive: true, encoding: 'utf8' })
          .filter((name) => name.endsWith(ending))
          .map((name) => join(folder, name)),
  );
}

/** A copy of the project whose sources hold all their mutants, with a bundle of each test file. */
async function makeInstrumentedCopy(part: string, asked: string): Promise<Copy> {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-mutants-'));
  for (const name of COPIED) cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  cpSync(join(root, 'scripts/mutate'), join(folder, 'scripts/mutate'), { recursive: true });
  const mutants: Mutant[] = [];
  for (const file of filesBelow(root, TARGETS, '.ts').filter((name) => name.includes(part))) {
    const made = instrument(file, readFileSync(join(root, file), 'utf8'), mutants.length);
    writeFileSync(join(folder, file), made.text);
    mutants.push(...made.mutants);
  }
  const tests = filesBelow(folder, TESTS, '.test.ts').filter(
    (name) => name.includes(asked) && !REPEATED.test(name),
  );
  await bundleTests(folder, tests, join(folder, 'bundles'));
  return {
    folder,
    mutants,
    bundles: tests.map((name) => join(folder, 'bundles', name.replace(/\.ts$/, '.mjs'))),
  };
}

interface Score {
  readonly noticed: number;
  readonly counted: number;
}

function scoreOf(mutants: readonly Mutant[], outcomes: ReadonlyMap<number, Outcome>): Score {
  const count = (wanted: readonly Outcome[]) =>
    mutants.filter(({ id }) => wanted.includes(outcomes.get(id) ?? 'static')).length;
  const noticed = count(['killed', 'endless']);
  return { noticed, counted: noticed + count(['survived', 'unreached']) };
}

function showScore(name: string, { noticed, counted }: Score): void {
  const percent = counted === 0 ? '–' : ((100 * noticed) / counted).toFixed(1);
  console.log(`${percent.padStart(5)} %  ${noticed} of ${counted}  ${name}`);
}

/** Survivors, then the score of each target and of them all. */
function report(mutants: readonly Mutant[], outcomes: ReadonlyMap<number, Outcome>): number {
  for (const { id, file, line, change, code } of mutants) {
    const outcome = outcomes.get(id);
    if (outcome === 'survived' || outcome === 'unreached')
      console.log(`${file}:${line} ${outcome}: ${change}: ${code}`);
  }
  for (const target of TARGETS) {
    showScore(
      target,
      scoreOf(
        mutants.filter(({ file }) => file.startsWith(target)),
        outcomes,
      ),
    );
  }
  const all = scoreOf(mutants, outcomes);
  showScore(`all; ${mutants.length - all.counted} more act only while files are loaded`, all);
  return all.noticed / all.counted;
}

const { values: options } = parseArgs({
  options: {
    part: { type: 'string', default: '' },
    tests: { type: 'string', default: '' },
    step: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '1' },
  },
});
const jobs = Number(options.jobs);
const { folder, mutants: made, bundles } = await makeInstrumentedCopy(options.part, options.tests);
const mutants = made.filter(({ id }) => id % Number(options.step) === 0);
const outcomes = new Map<number, Outcome>();
try {
  await new MutantProcess(folder, bundles, outcomes).run([]);
  const shares = Array.from({ length: jobs }, (_, job) =>
    mutants.filter((_mutant, index) => index % jobs === job),
  );
  await Promise.all(shares.map((share) => new MutantProcess(folder, bundles, outcomes).run(share)));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = report(mutants, outcomes) < LEAST_SCORE ? 1 : 0;
