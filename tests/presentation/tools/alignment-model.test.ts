import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { LanguageModel } from '../../../src/application/ports/model/language-model.js';
import { createCastellan } from '../../../src/composition/server/create-castellan.js';
import { ScriptedLanguageModel } from '../../../src/testing/scripted-language-model.js';
import { policyFile } from '../../support/policy-file.js';

const ANSWER = JSON.stringify({
  judgements: [
    {
      adr_id: 'ADR-0001',
      alignment: 'conflicts',
      quote: 'Uploads live in the object store.',
      proposal_quote: 'Keep uploads on the disk.',
      reason: 'The disk is not the object store.',
    },
  ],
});

describe('check_adr_alignment with judge: model', () => {
  const ask = async (policy: string, judge?: string) => {
    const workspace = mkdtempSync(join(tmpdir(), 'castellan-judge-'));
    mkdirSync(join(workspace, 'adr'));
    writeFileSync(
      join(workspace, 'adr/0001-uploads.md'),
      '# 1. Uploads\n\n## Status\n\nAccepted\n\n## Decision\n\nUploads live in the object store.\n',
    );
    writeFileSync(join(workspace, 'castellan.yaml'), 'categories: { adr: { dir: adr } }\n');
    const model = new ScriptedLanguageModel(ANSWER);
    const castellan = await createCastellan({
      policy: policyFile(policy),
      config: join(workspace, 'castellan.yaml'),
      workspace,
      logLevel: 'silent',
      configure: (container) => {
        container.rebind(LanguageModel).toConstantValue(model);
      },
    });
    try {
      const outcome = await castellan.execute('check_adr_alignment', {
        decision_description: 'Keep uploads on the disk.',
        ...(judge !== undefined && { judge }),
      });
      const said = JSON.stringify(outcome.success ? outcome.value : outcome.error);
      return { said, questions: model.questions };
    } finally {
      await castellan.close();
      rmSync(workspace, { recursive: true, force: true });
    }
  };

  it('asks nobody unless it is told to', async () => {
    const { said, questions } = await ask('tools: { claude_conversation: {} }\n');
    expect(questions).to.deep.equal([]);
    expect(said).to.include('Uploads live in the object store.');
  });

  it('asks the model as claude_conversation would, and labels what it says', async () => {
    const { said, questions } = await ask('tools: { claude_conversation: {} }\n', 'model');
    expect(questions).to.have.lengthOf(1);
    expect(said).to.match(/model/).and.include('The disk is not the object store.');
  });

  it('asks nobody where the policy does not grant claude_conversation, and where its budget is too small', async () => {
    for (const policy of [
      'tools: { echo: {} }\n',
      'tools: { claude_conversation: { tokens: { limit: 10/h } } }\n',
    ]) {
      const { said, questions } = await ask(policy, 'model');
      expect(questions).to.deep.equal([]);
      expect(said).not.to.include('The disk is not the object store.');
      expect(said).to.include('No model has judged').and.include('Uploads live in the object store.');
    }
  });
});
