import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { ElicitRequest } from '../../../src/application/call/tool-context.js';
import { SILENT_CHANNEL } from '../../../src/application/call/tool-context.js';
import { elicitConsent } from '../../../src/application/permission/elicit-consent.js';
import type { ConsentForm } from '../../../src/application/ports/permission/consent-prompt.js';
import { LOCAL_STDIO } from '../../../src/domain/session/caller.js';

type Answer = Awaited<ReturnType<typeof SILENT_CHANNEL.elicit>>;

const FORM: ConsentForm = { tool: 't', effect: 'Deletes.', arguments: { path: 'a' } };

async function ask(form: ConsentForm, answer: Answer) {
  const asked: ElicitRequest[] = [];
  const client = {
    ...SILENT_CHANNEL,
    elicit: async (request: ElicitRequest) => {
      asked.push(request);
      return answer;
    },
  };
  const origin = { caller: LOCAL_STDIO, sessionId: 's', client };
  return { answer: await elicitConsent.ask(form, new AbortController().signal, origin), asked: asked[0] };
}

describe('A question in the form of the client', () => {
  it('shows tool, effect, consequences and arguments', async () => {
    const { asked } = await ask({ ...FORM, consequences: 'Takes 3 files.' }, { action: 'decline' });
    expect(asked?.message).to.equal('Allow t? Deletes.\nTakes 3 files.\n{\n  "path": "a"\n}');
    expect(asked?.fields).to.deep.equal({});
    expect(asked).to.not.have.property('required');
  });

  it('asks for the phrase, and whether to remember, only where the policy does', async () => {
    const { asked } = await ask({ ...FORM, phrase: 'yes', rememberMs: 120_000 }, { action: 'decline' });
    expect(asked?.required).to.deep.equal(['phrase']);
    expect(asked?.fields.phrase?.description).to.equal('Type exactly: yes');
    expect(asked?.fields.remember).to.deep.include({ type: 'boolean', default: false });
    expect(asked?.fields.remember?.description).to.include('for 2 min');
  });

  const ANSWERS: readonly (readonly [Answer, unknown])[] = [
    [{ action: 'decline' }, { kind: 'decline' }],
    [{ action: 'cancel' }, { kind: 'cancel' }],
    [{ action: 'unavailable', why: 'no form' }, { kind: 'unavailable' }],
    [{ action: 'accept', content: {} }, { kind: 'accept' }],
    [
      { action: 'accept', content: { phrase: 'yes', remember: true } },
      { kind: 'accept', typed: 'yes', remember: true },
    ],
    [{ action: 'accept', content: { phrase: 1, remember: 'true' } }, { kind: 'accept' }],
  ];
  for (const [answer, wanted] of ANSWERS) {
    it(`takes ${JSON.stringify(answer)} for ${JSON.stringify(wanted)}`, async () =>
      expect((await ask(FORM, answer)).answer).to.deep.equal(wanted));
  }
});
