import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createCastellan } from '../../../src/index.js';
import { type ConsentAnswer, type ConsentForm, ConsentPrompt } from '../../../src/ports.js';

describe('A host that answers questions itself', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-host-consent-'));
    writeFileSync(join(folder, 'a.txt'), 'a');
    writeFileSync(join(folder, 'policy.yaml'), 'extends: [builtin:workspace]\n');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const ask = async (answer: ConsentAnswer) => {
    const asked: { form: ConsentForm; caller: string }[] = [];
    const castellan = await createCastellan({
      workspace: folder,
      policy: join(folder, 'policy.yaml'),
      environment: { PATH: process.env.PATH, HOME: join(folder, 'home') },
      logLevel: 'silent',
      configure: (container) => {
        const prompt: ConsentPrompt = {
          ask: async (form, _signal, { caller }) => {
            asked.push({ form, caller: caller.id });
            return answer;
          },
        };
        container.rebind(ConsentPrompt).toConstantValue(prompt);
      },
    });
    const olga = { id: 'olga', transport: 'embedded' } as const;
    const args = { path: 'a.txt', explicit_action: 'DELETE_PATH' };
    const result = await castellan.execute('delete_path', args, { caller: olga });
    await castellan.close();
    return { asked, success: result.success };
  };

  it('is asked in place of the client, told whose call it is, and its yes counts', async () => {
    const { asked, success } = await ask({ kind: 'accept' });
    expect(success).to.equal(true);
    expect(asked).to.have.length(1);
    expect(asked[0]).to.include({ caller: 'olga' });
    expect(asked[0]?.form.tool).to.equal('delete_path');
    expect(existsSync(join(folder, 'a.txt'))).to.equal(false);
  });

  it('keeps the call from running by a no', async () => {
    expect((await ask({ kind: 'decline' })).success).to.equal(false);
    expect(existsSync(join(folder, 'a.txt'))).to.equal(true);
  });
});
