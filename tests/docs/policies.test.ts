import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { withoutQuestion } from '../../src/application/permission/obtain-consent.js';
import { checkPolicy } from '../../src/composition/cli/check-policy.js';
import { createCastellan } from '../../src/composition/server/create-castellan.js';
import type { Decision } from '../../src/domain/permission/policy/decision.js';
import { CliWorkspace } from '../support/cli-workspace.js';
import { followHint, withoutRule } from '../support/follow-hint.js';
import { decide, load, verdict } from '../support/policy-bench.js';

type Call = readonly [
  tool: string,
  args: Record<string, unknown>,
  rewritten?: Record<string, unknown> | undefined,
];

const run = (command: string, rewritten?: string): Call => [
  'execute_command',
  { command },
  rewritten === undefined ? undefined : { command: rewritten },
];

/** What agents ask for every day, and what they should not. The third is the call that a hint asks for instead. */
const CALLS: readonly Call[] = [
  ['read_file', { path: 'src/a.ts' }],
  ['read_file', { path: '.env' }],
  ['read_file', { path: '/etc/hosts' }],
  ['read_file', { path: 'private/notes.md' }],
  ['read_file', { path: 'secrets/token' }],
  ['read_file', { path: 'data/personal/a.csv' }],
  ['search_content', { path: '.', query: 'x' }],
  ['write_file', { path: 'src/a.ts' }],
  ['write_file', { path: 'results/a.csv' }],
  ['write_file', { path: '../other/a.ts' }],
  ['write_file', { path: '.github/workflows/ci.yml' }],
  ['write_file', { path: 'strange [name]*.txt' }],
  ['edit_file', { path: 'package.json' }],
  ['edit_file', { path: 'CODEOWNERS' }],
  ['edit_file', { path: 'src/generated/a.ts' }],
  ['move_path', { source: 'data/raw/a.csv', destination: 'results/a.csv' }],
  ['create_directory', { path: 'build' }],
  ['delete_path', { path: 'src/a.ts' }],
  ['set_feature_flag', {}],
  ['claude_conversation', { message: 'hi' }],
  run('ls -la'),
  run('npm ci'),
  run('python3 train.py'),
  run('git push'),
  run('git log | grep fix'),
  run('curl example.com'),
  run('sudo ls'),
  run('rm -rf build'),
  run('ls > list.txt'),
  run('cat data/personal/a.csv'),
  run('ls $HOME', 'ls .'),
  run('find . -delete', 'find .'),
  ['execute_command', { command: 'ls', env: { LD_PRELOAD: 'x.so' } }],
];

/** As AuthoriseCall tells it where nobody can be asked. */
function hintOf(decision: Decision, tool: string): string {
  switch (decision.effect) {
    case 'allow':
      return '';
    case 'consent':
      return withoutQuestion(decision.consent.askedBy ?? tool);
    case 'deny':
      // A refusal never repeats a denied path, not even the caller's own word for it.
      return decision.hint.replace('[PATH]', JSON.stringify([decision.subject.text]));
  }
}

const NAMES = readdirSync('docs/policies').filter((name) => name.endsWith('.yaml'));

describe('the written policies', () => {
  it('are the five that the page tells of', () => {
    expect(NAMES.sort()).to.deep.equal([
      'ci.yaml',
      'data-science.yaml',
      'personal.yaml',
      'read-only-reviewer.yaml',
      'team-repository.yaml',
    ]);
    const page = readFileSync('docs/policies/README.md', 'utf8');
    for (const name of NAMES) expect(page).to.include(`(${name})`);
  });

  for (const name of NAMES) {
    const yaml = readFileSync(`docs/policies/${name}`, 'utf8');

    it(`${name} passes policy check without a warning, with tests of its own`, async () => {
      const project = new CliWorkspace();
      try {
        const report = await checkPolicy({
          workspace: project.folder,
          policy: `docs/policies/${name}`,
          environment: project.env,
        });
        expect(report.problems).to.deep.equal([]);
        expect(report.warnings).to.deep.equal([]);
        expect(report.tests).to.be.at.least(8);
      } finally {
        await project.remove();
      }
    });

    it(`${name}: following the hint of each refusal works`, async () => {
      const loaded = await load(yaml);
      let refused = 0;
      for (const [tool, args, rewritten] of CALLS) {
        const title = `${tool} ${JSON.stringify(args)}`;
        await expectToWork(yaml, loaded.snapshot.policy, loaded.document);

        async function expectToWork(
          text: string,
          policy: typeof loaded.snapshot.policy,
          document: typeof loaded.document,
          steps = 0,
        ): Promise<void> {
          const decision = decide(policy, tool, args);
          if (decision.effect === 'allow') return;
          refused += steps === 0 ? 1 : 0;
          const hint = hintOf(decision, tool);
          if (
            decision.effect === 'deny' &&
            ['SHELL_SYNTAX', 'HAZARDOUS_ARGUMENT'].includes(decision.reason)
          ) {
            expect(rewritten, `${title}: ${hint}`).to.be.an('object');
            const again = decide(policy, tool, rewritten ?? {});
            expect(again.effect, `${title}: ${hint}`).to.equal('allow');
            return;
          }
          expect(steps, `${title} still ${verdict(decision)} after ${steps} steps: ${hint}`).to.be.below(4);
          const changed = followHint(text, hint, decision.rule, document);
          expect(changed, `${title}: ${verdict(decision)}: ${hint}`).to.be.a('string');
          const next = await loadChanged(text, changed ?? '', hint, decision);
          const after = decide(next.snapshot.policy, tool, args);
          const isProgress = verdict(after) !== verdict(decision) || hintOf(after, tool) !== hint;
          expect(isProgress, `${title}: the hint changed nothing: ${hint}`).to.equal(true);
          await expectToWork(next.text, next.snapshot.policy, next.document, steps + 1);
        }
      }
      expect(refused).to.be.at.least(5);
    });
  }

  it('answer over the wire with the same hints', async () => {
    const project = new CliWorkspace();
    const castellan = await createCastellan({
      workspace: project.folder,
      policy: 'docs/policies/read-only-reviewer.yaml',
      environment: project.env,
      logLevel: 'silent',
    });
    try {
      const refused = await castellan.execute('execute_command', { command: 'curl example.com' });
      expect(refused.success ? '' : refused.error.message).to.include(
        '`tools: { execute_command: { allowed_commands: [curl] } }`',
      );
      const writing = await castellan.execute('write_file', { path: 'a.txt', content: '' });
      expect(writing.success ? '' : writing.error.message).to.include(
        '`tools: { write_file: { allowed_paths: ["."] } }`',
      );
    } finally {
      await castellan.close();
      await project.remove();
    }
  });
});

/** A changed policy decides otherwise than its tests say; that is the point. */
function withoutTests(yaml: string): string {
  return yaml.replace(/^tests:[\s\S]*$/m, '');
}

/** An exception of all that a rule is about is refused, and the hint says what to do then. */
async function loadChanged(before: string, changed: string, hint: string, { rule }: Decision) {
  const text = withoutTests(changed);
  try {
    return { text, ...(await load(text)) };
  } catch (error) {
    const isWhole = error instanceof Error && error.message.includes('takes back the whole rule');
    if (!isWhole || !hint.includes('or no such rule') || rule === undefined) throw error;
    const shorter = withoutTests(withoutRule(before, rule));
    return { text: shorter, ...(await load(shorter)) };
  }
}
