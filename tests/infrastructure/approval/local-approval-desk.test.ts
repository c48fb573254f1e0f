import { existsSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { LocalApprovalDesk } from '../../../src/infrastructure/approval/local-approval-desk.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';

describe('LocalApprovalDesk', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'desk-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('runs the notification command with a summary that no shell can take for its own text', async () => {
    const told = join(folder, 'told');
    const done = join(folder, 'done');
    const script = `printf '%s' "{summary}" > ${told}; : {summary}; touch ${done}`;
    const desk = new LocalApprovalDesk(
      { via: ['terminal'], notify: ['sh', '-c', script] },
      join(folder, 'pin'),
      () => Promise.reject(new Error('not opened')),
      new RecordingLogger(),
    );
    const path = `a"; touch ${folder}/x; $(touch ${folder}/y) \`touch ${folder}/z\`\n'\\ | touch ${folder}/w`;
    desk.announce({ tool: 'delete_path', effect: 'Deletes', arguments: { path } });
    while (!existsSync(done)) await pause(10);
    expect(readFileSync(told, 'utf8')).to.match(/^delete_path path : a touch /);
    for (const name of ['x', 'y', 'z', 'w']) expect(existsSync(join(folder, name)), name).to.equal(false);
  });
});
