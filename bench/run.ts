import 'reflect-metadata';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type BenchOptions, benchUsage, parseBenchOptions } from './bench-options.js';
import { judgeAll, renderSuite } from './bench-report.js';
import type { Suite, SuiteResult } from './bench-suite.js';
import { installNpmPeers } from './npm-peers.js';
import { ownSubjects } from './own-subjects.js';
import { withFigures } from './performance-page.js';
import { commandsSuite } from './suites/commands-suite.js';
import { echoSuite } from './suites/echo-suite.js';
import { filesSuite } from './suites/files-suite.js';
import { hookSuite } from './suites/hook-suite.js';
import { httpSuite } from './suites/http-suite.js';
import { knowledgeSuite } from './suites/knowledge-suite.js';
import { largeArgumentSuite } from './suites/large-argument-suite.js';
import { policySuite } from './suites/policy-suite.js';
import { serviceSuite } from './suites/service-suite.js';
import { slicesSuite } from './suites/slices-suite.js';
import { startSuite } from './suites/start-suite.js';
import { validationSuite } from './suites/validation-suite.js';
import { writesSuite } from './suites/writes-suite.js';

const suites: readonly Suite[] = [
  startSuite,
  hookSuite,
  echoSuite,
  largeArgumentSuite,
  validationSuite,
  policySuite,
  filesSuite,
  writesSuite,
  commandsSuite,
  knowledgeSuite,
  httpSuite,
  slicesSuite,
  serviceSuite,
];

async function runSuites(chosen: readonly Suite[], options: BenchOptions): Promise<readonly SuiteResult[]> {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-bench-')));
  try {
    const workspace = join(scratch, 'workspace');
    mkdirSync(workspace);
    const peers = options.peers ? installNpmPeers(scratch, workspace, console.error) : [];
    const subjects = [...ownSubjects(resolve(options.server), workspace), ...peers];
    const results: SuiteResult[] = [];
    for (const suite of chosen) {
      const result = await suite.run({
        subjects,
        isWithPeers: options.peers,
        args: options.args,
        scratch,
      });
      console.log(`${renderSuite(result)}\n`);
      results.push(result);
    }
    return results;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function main(argv: readonly string[]): Promise<number> {
  const options = parseBenchOptions(argv);
  const chosen = suites.filter(({ name, onRequest }) =>
    options.suite === undefined ? onRequest !== true : name === options.suite,
  );
  if (chosen.length === 0) {
    console.error(
      `No suite "${options.suite}"; there are ${suites.map(({ name }) => name).join(', ')}.\n${benchUsage}`,
    );
    return 2;
  }
  if (!existsSync(options.server)) {
    console.error(`${options.server} is not there: run "npm run build" first.`);
    return 2;
  }
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}`;
  const conditions = `${machine}. Only ratios in one run mean anything.`;
  console.log(`# Benchmark\n\n${conditions}\n`);
  const results = await runSuites(chosen, options);
  const verdicts = results.flatMap(judgeAll);
  if (options.json !== undefined) {
    writeFileSync(options.json, `${JSON.stringify({ machine, results, verdicts }, undefined, 2)}\n`);
  }
  const missed = verdicts.filter(({ kind }) => kind !== 'pass').length;
  const summary = `${verdicts.length - missed} of ${verdicts.length} goals met`;
  console.log(summary);
  if (options.write !== undefined) {
    const report = [conditions, ...results.map(renderSuite), `${summary}.`].join('\n\n');
    writeFileSync(options.write, withFigures(readFileSync(options.write, 'utf8'), report));
  }
  return options.strict && missed > 0 ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
