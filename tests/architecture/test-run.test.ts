import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { type Finished, runCommand } from '../support/run-command.js';
import { PROJECT } from '../support/spawned-server.js';

const PASSES = "it('passes', () => undefined);\n";
const NEVER_LOADED = "throw new Error('never loaded');\n";
/** A name of the list of those that run alone. */
const ALONE = 'security/file-race.test.ts';

describe('npm test', function () {
  this.timeout(60_000);
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-run-'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function run(files: Readonly<Record<string, string>>): Promise<Finished> {
    for (const [name, text] of Object.entries(files)) {
      const file = join(folder, 'tests', name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    const script = join(PROJECT, 'scripts', 'test.ts');
    return runCommand(process.execPath, ['--import', 'tsx', script, folder], { cwd: PROJECT });
  }

  it('ends well with the sum of what ran together and what ran alone', async () => {
    const finished = await run({ 'a.test.ts': PASSES, 'b.test.ts': PASSES, [ALONE]: PASSES });
    expect(finished.stdout).to.match(/\n {2}3 passing\n {2}0 failing\n$/);
    expect(finished.code).to.equal(0);
  });

  it('fails for a test that fails, one that writes into the home folder, a file that ends its process, and one that does not load, alone or not', async () => {
    const writes =
      "import { mkdirSync } from 'node:fs';\nimport { homedir } from 'node:os';\n" +
      "it('writes', () => void mkdirSync(homedir() + '/of-a-test'));\n";
    const finished = await run({
      'a.test.ts': `${PASSES}it('fails', () => { throw new Error('as planted'); });\n`,
      'b.test.ts': NEVER_LOADED,
      'c.test.ts': "it('exits', () => process.exit(0));\n",
      'd.test.ts': writes,
      [ALONE]: NEVER_LOADED,
    });
    expect(finished.stdout).to.match(/\n {2}2 passing\n {2}5 failing\n$/);
    for (const file of ['b.test.ts', 'c.test.ts', ALONE]) expect(finished.stderr).to.include(file);
    expect(finished.stderr).to.include('A test wrote ~/of-a-test');
    expect(finished.code).to.equal(1);
  });

  it('fails where there is no test', async () => {
    expect(await run({ 'a.ts': '' })).to.include({ code: 1 });
  });
});
