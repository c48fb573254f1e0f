import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { validationSample, validationSuite } from '../../bench/suites/validation-suite.js';
import { EVENT_LOOP } from '../../src/infrastructure/system/immediate-turns.js';
import { TypeboxInputValidator } from '../../src/infrastructure/tool/typebox-input-validator.js';

const BENCH = join(import.meta.dirname, '../../bench');

describe('Benchmarks', () => {
  it('S3-51: measure the overhead of execution, the cost of validation and calls at once', () => {
    const suites = readdirSync(join(BENCH, 'suites'));
    expect(suites).to.include.members(['start-suite.ts', 'echo-suite.ts', 'large-argument-suite.ts']);
    // The echo suite runs the whole pipeline, validation included, one call after another and many at once.
    const echo = readFileSync(join(BENCH, 'suites', 'echo-suite.ts'), 'utf8');
    expect(echo)
      .to.match(/sequential/)
      .and.to.match(/in flight|pipelined/);
    const run = readFileSync(join(BENCH, 'run.ts'), 'utf8');
    for (const suite of suites) expect(run, suite).to.include(suite.replace('.ts', '.js'));
  });

  it('S3-51: the validation benchmark checks every sample as often as it says, and one of them is refused', async () => {
    const real = new TypeboxInputValidator({}, EVENT_LOOP);
    const verdicts = new Map<string, number>();
    await validationSample(4, {
      check: async (tool, args) => {
        const checked = await real.check(tool, args);
        const key = `${tool.name} ${checked.success ? 'passed' : 'refused'}`;
        verdicts.set(key, (verdicts.get(key) ?? 0) + 1);
        return checked;
      },
    });
    // One to see that the sample is what it claims, and four that are measured.
    expect(Object.fromEntries(verdicts)).to.deep.equal({
      'echo passed': 5,
      'search_content passed': 5,
      'edit_file passed': 5,
      'validate_against_pattern passed': 5,
      'echo refused': 5,
    });
  });

  it('S3-51: isolate validation: a sample for each shape of arguments, and no handler is run', async () => {
    const sample = await validationSample(3);
    expect(Object.keys(sample)).to.deep.equal(['small', 'many', 'nested', 'long', 'refused']);
    for (const value of Object.values(sample)) expect(value).to.be.at.least(0);
    const { metrics } = await validationSuite.run({
      subjects: [],
      isWithPeers: false,
      args: ['1', '3'],
      scratch: '',
    });
    expect(metrics.map(({ id }) => id)).to.deep.equal(Object.keys(sample));
  });
});
