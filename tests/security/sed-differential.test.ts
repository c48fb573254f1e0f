import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import { checkProgramOptions } from '../../src/domain/command/programs/program-options.js';
import { words } from '../support/words.js';

const RUNS = process.env.CASTELLAN_LONG === '1' ? 20_000 : 1_000;

/** What would leave a trace, if it came to be a command. */
const HARMFUL = ['e touch pwned', 'w pwned', 'W pwned', 's/x/y/w pwned', 's/.*/touch pwned/e'];
/** What may swallow more or less of what follows than we think. */
const SWALLOWERS =
  ':x,:x y,b,t x,T,bx,a foo,a,i\\,c\\,a foo\\,a\\\\,#,# x,s/x/y/,s|x|y|g,s/x/\\/,s/[/]/y/,s/[]/]x/y/,y/x/y/,s/x/,v,}'.split(
    ',',
  );
const OTHERS = 'x,p,d,n,=,q,q5,l 3,z,{,1,$,1!,/x/,\\%x%,1~2,2q,-n,é,\u00a0,\\,/,I,M,+1,1{p,$!{x'.split(',');
const GAPS = [' ', ';', '\n', '', '\t', '\r', '}', ' ; ', '\\\n', ';\n', '\n}'];

const piece = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...SWALLOWERS) },
  { weight: 3, arbitrary: fc.constantFrom(...HARMFUL) },
  { weight: 2, arbitrary: fc.constantFrom(...OTHERS) },
);
const script = fc
  .array(fc.tuple(piece, fc.constantFrom(...GAPS)), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.flat().join(''));

describe('Scripts that are accepted, run by the real sed', function () {
  this.timeout(300_000);
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-sed-'));
    writeFileSync(join(folder, 'a'), 'x\nx y\n\n');
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const [title, options] of [
    ['as it is', []],
    ['with extended expressions', ['-E']],
    ['of another locale', ['-n', '-s']],
  ] as const) {
    it(`write nothing and start nothing, ${title}`, () => {
      let accepted = 0;
      fc.assert(
        fc.property(script, fc.option(script), (first, second) => {
          const scripts = second === null ? [first] : ['-e', first, '-e', second];
          const args = [...options, ...scripts, 'a'];
          if (first.startsWith('-') || !checkProgramOptions('sed', words(...args)).success) return;
          accepted += 1;
          run(folder, args, title === 'of another locale' ? 'C' : 'C.UTF-8');
          expect(readdirSync(folder), JSON.stringify(args)).to.deep.equal(['a']);
        }),
        { numRuns: RUNS },
      );
      expect(accepted).to.be.at.least(RUNS / 200);
    });
  }
});

function run(cwd: string, args: readonly string[], locale: string): void {
  try {
    execFileSync('sed', [...args], {
      cwd,
      stdio: ['ignore', 'ignore', 'ignore'],
      env: { PATH: '/usr/bin:/bin', LC_ALL: locale },
      timeout: 300,
    });
  } catch {
    // A script that sed refuses, or one that jumps for ever: what counts is what it left behind.
  }
}
