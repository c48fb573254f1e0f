import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { runCommand } from '../support/run-command.js';

const LONG = process.env.CASTELLAN_LONG !== undefined;
const [STEPS, KILL_EVERY] = LONG ? [200, 20] : [20, 10];
const SESSION = join(import.meta.dirname, '..', 'support', 'full-disk-process.ts');
const POLICY = `extends: [builtin:workspace]
audit: { required_for: [list_directory] }
`;
/** A disk of its own in a mount namespace of its own. */
const ON_A_SMALL_DISK = 'mount -t tmpfs -o size=2m none "$1" && shift && exec "$@"';

describe('A state disk that is full', function () {
  this.timeout(600_000);

  it(`refuses, says and records at each of ${STEPS} steps, and verify is right when there is room again`, async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-full-')));
    try {
      const [state, project] = [join(root, 'state'), join(root, 'project')];
      for (const folder of [state, project, join(root, 'home')]) mkdirSync(folder);
      writeFileSync(join(project, 'policy.yaml'), POLICY);
      writeFileSync(join(project, 'settings.yaml'), 'http: { admin: "127.0.0.1:0" }\n');
      const namespaces = process.getuid?.() === 0 ? ['-m'] : ['-r', '-m'];
      const { code, stdout, stderr } = await runCommand('unshare', [
        ...namespaces,
        ...['sh', '-c', ON_A_SMALL_DISK, 'sh', state],
        ...[process.execPath, '--import', 'tsx', SESSION, state, project, String(STEPS), String(KILL_EVERY)],
      ]);
      expect(code, stderr).to.equal(0);
      const { came, made, outcomes, lost, logged } = JSON.parse(stdout);
      const kills = STEPS / KILL_EVERY;
      expect(came).to.deep.equal({
        'refused without a record': STEPS,
        'said to be unrecorded': STEPS,
        'recorded again': STEPS - kills,
        'recorded without a word': STEPS - kills,
        'verified while full: sound (0)': kills,
        'verified after a kill: sound (0)': kills,
        'readyz: 503 is full': 1,
        'readyz: 200': 1,
        'doctor sees it': 1,
        'verified at the end: sound (0)': 1,
      });
      expect(logged).to.equal(true);
      // Every call is a record, or is among those that the log says it lost; the last one before a kill may be younger
      // than the last attempt to write.
      expect(outcomes).to.be.at.least(made - lost - kills);
      expect(outcomes).to.be.at.most(made);
      expect(lost)
        .to.be.at.least(kills)
        .and.at.most(4 * kills);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
});
