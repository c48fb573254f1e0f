/**
 * Runs every test below the folder given, or below tests/: most files spread over three processes or more, then those
 * that need the machine for themselves. `npx mocha FILE` runs one file.
 *
 * The home folder of the run is an empty one: what a test leaves there would have ended up in the home of whoever
 * runs it, so it is a failure.
 */
import { closeSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import Mocha from 'mocha';
import { findInheritable } from '../src/infrastructure/process/inherited-descriptors.js';

/** Run one after the other when the rest is done. A file that starts, kills or waits for processes need not be here. */
const ALONE: readonly string[] = [
  // Race for a fixed time: on half a machine they would meet fewer moments.
  'tests/security/file-race.test.ts',
  'tests/security/file-tools-race.test.ts',
];

/** The order of the files; the rest comes after these. */
const FIRST: readonly RegExp[] = [
  // They look through the heap of their process again and again, which is small as long as no other file was in it.
  /\/http-(?:endurance|malformed|crowds)\.test\.ts$/,
  // The files that take longest, so that none is left over at the end.
  /\/tests\/(?:e2e|security)\//,
];

const MOST_PROCESSES = 4;

const root = resolve(import.meta.dirname, '..');

const { timeout }: { readonly timeout: number } = JSON.parse(
  readFileSync(join(root, '.mocharc.json'), 'utf8'),
);

interface Count {
  readonly passing: number;
  readonly failing: number;
}

async function run(files: readonly string[], options: Mocha.MochaOptions): Promise<Count> {
  if (files.length === 0) return { passing: 0, failing: 0 };
  const mocha = new Mocha({ timeout, forbidOnly: true, ...options });
  for (const file of files) mocha.addFile(file);
  try {
    if (options.parallel !== true) await mocha.loadFilesAsync();
  } catch (error) {
    console.error(error);
    return { passing: 0, failing: 1 };
  }
  return new Promise((done) => {
    const runner = mocha.run((failing) => done({ passing: runner.stats?.passes ?? 0, failing }));
    // A file that does not load, or ends its process, belongs to no test; mocha shows the first such alone.
    runner.on('fail', (_test, error: unknown) => {
      if (error instanceof Error && 'file' in error) console.error(`${error.file}: ${error.stack}`);
    });
  });
}

/** An empty home for this process and all that it starts. npm alone keeps its settings and its cache. */
function useEmptyHome(): string {
  process.env.npm_config_userconfig ??= join(homedir(), '.npmrc');
  process.env.npm_config_cache ??= join(homedir(), '.npm');
  const home = mkdtempSync(join(tmpdir(), 'castellan-home-'));
  process.env.HOME = home;
  for (const name of ['XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME'])
    delete process.env[name];
  return home;
}

/** What whoever started the run left open here would be inherited by every process of every test, which has to cover it. */
function closeInherited(): void {
  if (process.platform === 'linux') for (const descriptor of findInheritable()) closeSync(descriptor);
}

function placeOf(file: string): number {
  const place = FIRST.findIndex((pattern) => pattern.test(file));
  return place === -1 ? FIRST.length : place;
}

/** How many things the tests left in the home folder; each is named. */
function countLeftovers(home: string): number {
  const left = readdirSync(home, { recursive: true, encoding: 'utf8' });
  for (const name of left) console.error(`A test wrote ~/${name}, which is outside of its scratch folders.`);
  rmSync(home, { recursive: true, force: true });
  return left.length;
}

closeInherited();
const home = useEmptyHome();
const missing = ALONE.filter((name) => !existsSync(join(root, name)));
if (missing.length > 0) throw new Error(`scripts/test.ts names what is not there: ${missing.join(', ')}`);
const folder = resolve(process.argv[2] ?? join(root, 'tests'));
const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => join(folder, name))
  .sort((one, other) => placeOf(one) - placeOf(other) || (one < other ? -1 : 1));
const needsAll = (file: string) => ALONE.some((name) => file.endsWith(`/${name}`));
// One more than there are processors: a file often waits for a process that sleeps.
const jobs = Math.min(Math.max(availableParallelism(), 2) + 1, MOST_PROCESSES);
const together = await run(
  found.filter((file) => !needsAll(file)),
  { parallel: true, jobs },
);
const alone = await run(found.filter(needsAll), {});
const passing = together.passing + alone.passing;
const failing = together.failing + alone.failing + countLeftovers(home);
console.log(`Of both runs together:\n  ${passing} passing\n  ${failing} failing`);
process.exitCode = failing > 0 || passing === 0 ? 1 : 0;
