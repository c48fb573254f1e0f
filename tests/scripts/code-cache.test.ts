import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { MAIN } from '../support/spawned-server.js';

const RUNNER = resolve(import.meta.dirname, '../../scripts/run-bundle.cjs');
/** The first has the V8 of the newest Node 20 by its number, and crashes on its caches. */
const OTHER_NODES = ['20.19.5', '22.20.0', '24.0.0'];

describe('the code cache of the built command', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-cache-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('does not know the folder that it was built in, which every stack would show', () => {
    const built = join(dirname(MAIN), 'command');
    const caches = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.cache'),
    );
    expect(caches).to.include('castellan.js.cache');
    for (const name of caches) {
      const text = readFileSync(join(built, name), 'latin1');
      expect(text.includes(dirname(dirname(MAIN))), name).to.equal(false);
    }
  });

  /** What V8 says of the cache of the start: false: taken; undefined: it was given none. */
  function rejected(command: string): string {
    const script = [
      `const { load, scripts } = require(${JSON.stringify(RUNNER)});`,
      "process.on('exit', () => { for (const [, script] of scripts) { console.log('rejected:', script.cachedDataRejected); break; } });",
      `process.argv.splice(1, 0, 'castellan'); load(${JSON.stringify(join(command, 'castellan.js'))});`,
    ].join('\n');
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', script, '--', '--version'], {
      encoding: 'utf8',
    });
    return /rejected: (\w+)/.exec(stdout)?.[1] ?? `${stdout}${stderr}`;
  }

  it('is for the Node that made it alone', () => {
    cpSync(join(dirname(MAIN), 'command'), folder, { recursive: true });
    expect(rejected(folder)).to.equal('false');
    const madeBy = join(folder, 'code-cache.json');
    const another = readFileSync(madeBy, 'latin1').replace(process.version, 'v20.0.0');
    writeFileSync(madeBy, another);
    expect(rejected(folder)).to.equal('undefined');
    rmSync(madeBy);
    expect(rejected(folder)).to.equal('undefined');
  });

  for (const version of process.env.CASTELLAN_LONG === '1' ? OTHER_NODES : []) {
    it(`does not keep the command from running under Node ${version}`, () => {
      const wanted = `node-${process.platform}-${process.arch}@${version}`;
      execFileSync('npm', ['install', '--prefix', folder, '--no-save', wanted], { stdio: 'ignore' });
      const node = join(folder, 'node_modules', wanted.replace(/@.*/, ''), 'bin', 'node');
      const { status, stdout } = spawnSync(node, [MAIN, '--version'], { encoding: 'utf8' });
      expect({ status, stdout }).to.deep.equal({
        status: 0,
        stdout: spawnSync(process.execPath, [MAIN, '--version'], { encoding: 'utf8' }).stdout,
      });
    });
  }
});
