import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { JudgeCallQuery, Judgement } from '../../../src/application/call/pipeline/judge-call.js';
import { HOOK_CLIENTS, type HookClient } from '../../../src/domain/client/mcp-client.js';
import { answerHook } from '../../../src/presentation/hook/answer-hook.js';

interface Golden {
  readonly title: string;
  readonly input: object;
  /** What the policy was asked. */
  readonly judged: readonly object[];
  readonly effect: Judgement['effect'];
  readonly answer: { readonly code: number; readonly stdout: unknown; readonly stderr: string };
}

const goldenOf = (client: string): readonly Golden[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'golden', `${client}.json`), 'utf8'));

const judgement = (effect: Judgement['effect']): Judgement => {
  if (effect === 'allow') return { effect };
  const message =
    effect === 'deny' ? 'The policy refuses it.' : "The policy requires the user's approval for this.";
  return { effect, message };
};

/** What was asked, and the answer. */
async function hook(client: HookClient, input: string, effect: Judgement['effect'] = 'allow') {
  const judged: object[] = [];
  const answer = await answerHook(client, input, async ({ client: _, ...query }: JudgeCallQuery) => {
    judged.push(query);
    return judgement(effect);
  });
  return { judged, answer };
}

describe('the answers of hooks', () => {
  for (const client of HOOK_CLIENTS) {
    for (const { title, input, judged, effect, answer } of goldenOf(client)) {
      it(`${client}, ${title}: as its contract has it`, async () => {
        const given = await hook(client, JSON.stringify(input), effect);
        expect(given.judged).to.deep.equal(judged);
        const { stdout, ...rest } = given.answer;
        expect({ ...rest, stdout: stdout === '' ? '' : JSON.parse(stdout) }).to.deep.equal(answer);
      });
    }

    for (const garbage of ['', 'no JSON', '[]', 'null', '"text"', '{"tool_name":', '\u0000']) {
      it(`${client}: refuses ${JSON.stringify(garbage)} in a way that every client understands`, async () => {
        const { judged, answer } = await hook(client, garbage);
        expect(judged).to.deep.equal([]);
        expect(answer).to.deep.include({ code: 2, stdout: '' });
        expect(answer.stderr).to.contain('refused');
      });
    }
  }

  it('takes the strictest of several judgements', async () => {
    const effects: Judgement['effect'][] = ['allow', 'deny', 'ask'];
    const patch = ['a', 'b', 'c'].map((name) => `*** Update File: ${name}`).join('\n');
    const input = { tool: 'apply_patch', args: { patchText: patch }, session: 's', cwd: '/w' };
    const { stdout } = await answerHook('opencode', JSON.stringify(input), async () =>
      judgement(effects.shift() ?? 'allow'),
    );
    expect(JSON.parse(stdout)).to.deep.equal({
      decision: 'deny',
      reason: 'Castellan: The policy refuses it.',
    });
  });

  it('keeps of a session only what a name may have', async () => {
    const input = { session_id: 'a b\n"c"/../d', tool_name: 'Read', tool_input: { file_path: '/w/a' } };
    const { judged } = await hook('claude', JSON.stringify(input));
    expect(judged).to.have.length(1);
    expect(judged[0]).to.include({ sessionId: 'claude:abc..d' });
  });
});

/** What a client and we could read in two ways. */
describe('calls of a client that cannot be judged', () => {
  const denied = async (client: HookClient, tool: string, args: object) => {
    const input =
      client === 'opencode'
        ? { tool, args, session: 's', cwd: '/w' }
        : { tool_name: tool, tool_input: args, session_id: 's', cwd: '/w' };
    const { judged, answer } = await hook(client, JSON.stringify(input));
    expect(judged).to.deep.equal([]);
    expect(answer.stdout).to.match(/"(?:permissionDecision|decision)":"deny"/);
    return answer.stdout;
  };

  const cases: readonly (readonly [HookClient, string, object])[] = [
    ['opencode', 'read', { file_path: 'README.md', filePath: '.env' }],
    ['opencode', 'edit', { path: 'README.md', filePath: '.git/config', oldString: 'a', newString: 'b' }],
    ['gemini', 'read_file', { file_path: 'a', absolute_path: '/w/.env' }],
    ['gemini', 'run_shell_command', { command: 'ls', directory: 'a', dir_path: '/etc' }],
    ['claude', 'Write', { file_path: 'a', path: 'b', content: '' }],
    ['claude', 'Read', { file_path: ' .env' }],
    ['claude', 'Read', { file_path: '.env\n' }],
    ['claude', 'Read', { file_path: '~root/.ssh/id_rsa' }],
    ['claude', 'Read', { file_path: 'file:///w/.env' }],
    ['claude', 'Read', { file_path: 'FILE:.env' }],
    ['claude', 'Read', { file_path: ['.env'] }],
    ['claude', 'Read', { file_path: 1 }],
    ['claude', 'Bash', { command: ['cat', '.env'] }],
    ['claude', 'Bash', {}],
    ['codex', 'apply_patch', { command: 'diff --git a/x b/x' }],
    ['codex', 'apply_patch', { command: '*** Update File: ~/.bashrc' }],
  ];
  for (const [client, tool, args] of cases)
    it(`${client} ${tool} ${JSON.stringify(args)}`, async () => {
      expect(await denied(client, tool, args)).to.contain('cannot be judged');
    });
});
