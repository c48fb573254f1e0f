import { spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { ORDINARY_USER } from '../support/ordinary-user.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Sandboxes of an ordinary user are made in another way than those of root. */
const FILES = [
  'tests/contract/live-command.test.ts',
  'tests/contract/command-sandbox.test.ts',
  'tests/security/replaced-files.test.ts',
  'tests/security/sandbox-powers.test.ts',
  'tests/security/sandbox-mount-race.test.ts',
  'tests/security/sandbox-escape.test.ts',
];

/** The same suites again, where the server of this run is root. */
describe('Sandboxes of an ordinary user', function () {
  this.timeout(240_000);

  it('hold as those of root do', async () => {
    if (ORDINARY_USER === undefined) return;
    const home = mkdtempSync(join(tmpdir(), 'castellan-ordinary-'));
    chownSync(home, ORDINARY_USER, ORDINARY_USER);
    // What tsx has compiled for this run is as good for that one, which can read it and write nothing there.
    symlinkSync(join(tmpdir(), `tsx-${process.geteuid?.()}`), join(home, `tsx-${ORDINARY_USER}`));
    try {
      const { code, said } = await runAs(ORDINARY_USER, home);
      expect(code, said).to.equal(0);
      expect(said).to.match(/\d+ passing/);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
});

function runAs(user: number, home: string): Promise<{ readonly code: number | null; readonly said: string }> {
  const options = ['--no-config', '--extension', 'ts', '--timeout', '120000'];
  const imports = ['tsx', './tests/support/setup.ts'].flatMap((name) => ['--import', name]);
  const environment = { PATH: process.env.PATH, HOME: home, TMPDIR: home, CASTELLAN_AGAIN: '1' };
  const child = spawn(
    process.execPath,
    [...imports, 'node_modules/mocha/bin/mocha.js', ...options, ...FILES],
    { cwd: ROOT, uid: user, gid: user, env: environment, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said += chunk;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, said }));
  });
}
