import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { checkPolicy } from '../../../src/composition/cli/check-policy.js';

describe('checkPolicy', () => {
  let workspace: string;

  before(() => {
    workspace = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-check-')));
    writeFileSync(join(workspace, 'own.yaml'), 'version: 1\nextends: [builtin:workspace]\n');
    writeFileSync(join(workspace, 'above.yaml'), 'version: 1\nextends: [builtin:readonly]\n');
  });

  after(() => rmSync(workspace, { recursive: true, force: true }));

  it('speaks of a ceiling only under one', async () => {
    const policy = join(workspace, 'own.yaml');
    const alone = await checkPolicy({ workspace, policy });
    const under = await checkPolicy({ workspace, policy, ceiling: join(workspace, 'above.yaml') });
    expect(alone.power.join('\n')).not.to.contain('ceiling');
    expect(under.power.join('\n')).to.contain('a ceiling narrows this further');
  });
});
