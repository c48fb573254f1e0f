import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  type ElicitRequest,
  ElicitRequestSchema,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { isJsonObject } from '../../src/domain/json-value.js';
import { AskingServers, type FoundQuestion } from '../../src/infrastructure/approval/asking-servers.js';
import { PinFile } from '../../src/infrastructure/approval/pin-file.js';
import { resolveStateFolder } from '../../src/infrastructure/state/state-folder.js';
import { CliWorkspace } from '../support/cli-workspace.js';
import { ENVELOPES, useInstead } from '../support/other-answers.js';
import { MAIN } from '../support/spawned-server.js';

const IMPATIENT = join(import.meta.dirname, '..', 'support', 'impatient-server.mjs');
const ASK = 'tools: { echo: { consent: { mode: ask, remember: 15m } } }\n';
const ALWAYS = 'tools: { echo: { consent: always } }\n';
const EXPLICIT = 'tools: { echo: { consent: { mode: explicit, phrase: "say ${message}" } } }\n';

type Answer = (question: ElicitRequest['params']) => ElicitResult | Promise<ElicitResult>;

describe("consent, with the SDK's client", () => {
  useInstead(ENVELOPES);
  let project: CliWorkspace;
  let client: Client;
  let questions: ElicitRequest['params'][];

  beforeEach(() => {
    project = new CliWorkspace();
    questions = [];
  });

  afterEach(async () => {
    await client.close();
    await project.remove();
  });

  async function connect(policy: string, answer?: Answer, script?: string): Promise<void> {
    const file = project.write('policy.yaml', policy);
    const capabilities = answer === undefined ? {} : { elicitation: {} };
    client = new Client({ name: 'e2e', version: '1' }, { capabilities });
    if (answer !== undefined) {
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
        questions.push(params);
        return answer(params);
      });
    }
    const args = script === undefined ? [MAIN, '--policy', file] : [script, file];
    const env = Object.fromEntries(
      Object.entries({ ...process.env, ...project.env }).filter(
        (pair): pair is [string, string] => pair[1] !== undefined,
      ),
    );
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args,
        cwd: project.folder,
        env,
        stderr: 'ignore',
      }),
    );
  }

  /** `Echo: …` where the call ran, else the reason why it did not. */
  async function echo(message: string): Promise<string> {
    const { content, isError } = await client.callTool({ name: 'echo', arguments: { message } });
    const first: unknown = Array.isArray(content) ? content[0] : undefined;
    const text = isJsonObject(first) && typeof first.text === 'string' ? first.text : '';
    if (isError !== true) return text;
    return JSON.parse(text).error_details.reason;
  }

  it('runs the call that a person accepted, after showing tool, arguments and effect', async () => {
    await connect(ASK, () => ({ action: 'accept', content: {} }));
    expect(await echo('hi')).to.equal('Echo: hi');
    expect(questions).to.have.length(1);
    expect(questions[0]?.message).to.contain('echo').and.contain('"message": "hi"');
  });

  for (const action of ['decline', 'cancel'] as const) {
    it(`refuses the call on ${action}, and the next one is asked anew`, async () => {
      await connect(ASK, () => ({ action }));
      expect(await echo('hi')).to.equal('CONSENT_REQUIRED');
      expect(await echo('hi')).to.equal('CONSENT_REQUIRED');
      expect(questions).to.have.length(2);
    });
  }

  it('refuses the call when nobody answers in time, and takes no late answer', async () => {
    const late: ((result: ElicitResult) => void)[] = [];
    await connect(ASK, () => new Promise((resolve) => late.push(resolve)), IMPATIENT);
    expect(await echo('hi')).to.equal('CONSENT_REQUIRED');
    late[0]?.({ action: 'accept', content: { remember: true } });
    expect(await echo('hi')).to.equal('CONSENT_REQUIRED');
    expect(questions).to.have.length(2);
  });

  it('refuses with what to do when the client cannot ask', async () => {
    await connect(ASK);
    expect(await echo('hi')).to.equal('CONSENT_UNAVAILABLE');
  });

  it('remembers for identical arguments only, and only when the person said so', async () => {
    await connect(ASK, ({ message }) => ({
      action: 'accept',
      content: { remember: message.includes('often') },
    }));
    for (const message of ['often', 'often', 'once', 'once', 'often', 'often ']) {
      expect(await echo(message)).to.equal(`Echo: ${message}`);
    }
    // often is asked once, once twice, and a space more is another call.
    expect(questions).to.have.length(4);
  });

  it('never remembers where the policy says always', async () => {
    await connect(ALWAYS, () => ({ action: 'accept', content: { remember: true } }));
    expect([await echo('hi'), await echo('hi')]).to.deep.equal(['Echo: hi', 'Echo: hi']);
    expect(questions).to.have.length(2);
  });

  it('wants the phrase of this very call typed where the policy says explicit', async () => {
    await connect(EXPLICIT, () => ({ action: 'accept', content: { phrase: 'say hi' } }));
    expect(await echo('hi')).to.equal('Echo: hi');
    expect(await echo('ho')).to.equal('CONSENT_REQUIRED');
  });

  describe('with a client that cannot ask', function () {
    this.timeout(60_000);
    const PIN = 'correct horse';
    const stateOf = () => {
      const state = resolveStateFolder({ ...process.env, ...project.env });
      if (!state.success) throw new Error(state.error);
      return state.value;
    };

    async function open(): Promise<FoundQuestion> {
      const servers = new AskingServers(stateOf());
      for (let look = 0; look < 200; look += 1) {
        const [question] = await servers.questions();
        if (question !== undefined) return question;
        await sleep(50);
      }
      throw new Error('No question came.');
    }

    it('lets a person answer with the PIN, and tells the agent what they said', async () => {
      const pin = new PinFile(stateOf());
      await pin.set(PIN);
      const key = await pin.unlock(PIN);
      if (!key.success) throw new Error(key.error);
      await connect(ALWAYS);
      const servers = new AskingServers(stateOf());
      const first = echo('yes');
      const asked = await open();
      expect(asked).to.deep.include({ tool: 'echo', arguments: { message: 'yes' } });
      const yes = { id: asked.id, way: 'terminal', accept: true } as const;
      expect(await servers.answer(asked.socket, 'another key', yes)).to.equal('wrong-key');
      expect(await servers.answer(asked.socket, key.value, yes)).to.equal('taken');
      expect(await servers.answer(asked.socket, key.value, yes)).to.equal('gone');
      expect(await first).to.include('yes');
      const second = client.callTool({ name: 'echo', arguments: { message: 'no' } });
      const { id, socket } = await open();
      await servers.answer(socket, key.value, { id, way: 'terminal', accept: false, reason: 'too loud' });
      expect(JSON.stringify((await second).content)).to.include('too loud');
      const later = await client.callTool({ name: 'echo', arguments: { approval: id } });
      expect(JSON.stringify(later.content)).to.include(`No call of echo waits under ${id}`);
    });

    it('refuses as before where no PIN is set, and says how to set one', async () => {
      await connect(ALWAYS);
      const { content } = await client.callTool({ name: 'echo', arguments: { message: 'x' } });
      expect(JSON.stringify(content))
        .to.include('CONSENT_UNAVAILABLE')
        .and.include('castellan approve --set-pin');
    });
  });
});
