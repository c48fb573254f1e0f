import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { checkPolicy } from '../../src/composition/cli/check-policy.js';
import { createCastellan } from '../../src/composition/server/create-castellan.js';
import type { Denial } from '../../src/domain/permission/policy/decision.js';
import type { PermissionPolicy } from '../../src/domain/permission/policy/permission-policy.js';
import { CliWorkspace } from '../support/cli-workspace.js';
import { paste, textToPaste } from '../support/paste-hint.js';
import { decide, load, loadFiles, verdict } from '../support/policy-bench.js';

type Call = readonly [tool: string, args: Record<string, unknown>];

const run = (command: string): Call => ['execute_command', { command }];
const read = (path: string): Call => ['read_file', { path }];

/** What agents ask for every day, and what they should not. */
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
  run('ls $HOME'),
  run('find . -delete'),
  run('docker ps -a'),
  run('docker --context prod ps'),
  run('kubectl get pods | grep web'),
  run('make all && ./scripts/deploy.sh --dry-run'),
  run('env NODE_ENV=test node build.js'),
  run('ls *.md'),
  run("grep 'a*b' notes.txt"),
  run('cat .env'),
  run('npm exec tsc'),
  run('terraform plan -out=x'),
  run('yes "on" | head -n 3'),
  ['read_files', { paths: ['/srv/a.txt', '/srv/b.txt'] }],
  ['copy_path', { source: '/srv/a.txt', destination: '.vscode/tasks.json' }],
  ['write_file', { path: '$HOME.txt' }],
  ['read_file', { path: '/workspace/permissions.yaml' }],
  ['create_document', { category: 'patterns', path: 'a.md', content: 'x' }],
  ['process_output', { process_id: 'p1' }],
  ['execute_command', { command: 'ls', env: { NODE_ENV: 'test' } }],
  ['execute_command', { command: 'ls', env: { LD_PRELOAD: 'x.so' } }],
];

/** Calls that agents make all day; of these, what a policy allows before a paste it allows afterwards. */
const EVERYDAY: readonly Call[] = [
  ...['README.md', 'src/a.ts', 'src/deep/b.ts', 'package.json', 'docs/x.md', 'tests/t.ts'].map(read),
  ['read_files', { paths: ['src/a.ts', 'README.md'] }],
  ['list_directory', { path: '.' }],
  ['list_directory', { path: 'src' }],
  ['search_files', { path: '.', pattern: '*.ts' }],
  ['search_content', { path: '.', query: 'x' }],
  ['search_content', { path: 'src', query: 'x' }],
  ['file_info', { path: 'src/a.ts' }],
  ['echo', { message: 'x' }],
  ['system_info', {}],
  ['get_content', { expression: 'adr' }],
  ['search_architecture', { query: 'x' }],
  ['get_project_config', {}],
  ['list_project_flags', {}],
  ['list_feature_flags', {}],
  ['get_tool_stats', {}],
  ['explain_permission', { tool: 'echo' }],
  ['write_file', { path: 'src/new.ts' }],
  ['edit_file', { path: 'src/a.ts' }],
  ['delete_path', { path: 'src/a.ts' }],
  ...[
    'ls',
    'ls -la src',
    'cat README.md',
    'git status',
    'git log | head -n 3',
    'grep -r x src',
    'npm test',
  ].map((command) => run(command)),
  ...['for i in 1 2; do echo $i; done', 'python3 -c "print(1)"', 'npm test > log.txt'].map((command) =>
    run(command),
  ),
];

const NAMES = readdirSync('docs/policies').filter((name) => name.endsWith('.yaml'));
const BUILTIN = ['baseline', 'readonly', 'workspace'];
const POLICIES: readonly (readonly [name: string, yaml: string])[] = [
  ...NAMES.map((name) => [name, readFileSync(`docs/policies/${name}`, 'utf8')] as const),
  ...BUILTIN.map((name) => [`builtin:${name}`, `version: 1\nextends: [builtin:${name}]\n`] as const),
];

function passes(policy: PermissionPolicy, [tool, args]: Call): boolean {
  return decide(policy, tool, args).effect !== 'deny';
}

const titleOf = ([tool, args]: Call): string => `${tool} ${JSON.stringify(args)}`;

/** A policy whose own tests say that this very call is refused says so, and nothing else is wrong with it. */
async function loadPasted(yaml: string, hint: string) {
  const text = paste(yaml, hint);
  const loaded = await loadFiles({ '/policy.yaml': text });
  if (loaded.success) return { text, ...loaded.value };
  for (const { message } of loaded.error.problems)
    expect(message, text).to.match(/^The test .* expects deny/);
  const without = withoutTests(text);
  return { text: without, ...(await load(without)) };
}

/** Reasons that no line of a list can lift, so that a hint proposes none. */
const FIRM: ReadonlySet<string> = new Set([
  'DENIED_PATH',
  'DENIED_COMMAND',
  'DISABLED',
  'HAZARDOUS_ARGUMENT',
  'UNKNOWN_TOOL',
]);

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
  }
});

describe('the hints of refusals, pasted into the policy file as text', () => {
  for (const [name, yaml] of POLICIES) {
    it(`${name}: each allows the call it was given for, warns of nothing and takes nothing away`, async () => {
      const { policy } = (await load(yaml)).snapshot;
      const everyday = EVERYDAY.filter((call) => passes(policy, call));
      expect(everyday).to.have.length.at.least(20);
      const refused = CALLS.flatMap((call): (readonly [Call, Denial])[] => {
        const decision = decide(policy, ...call);
        return decision.effect === 'deny' ? [[call, decision]] : [];
      });
      expect(refused).to.have.length.at.least(5);
      let pasted = 0;
      for (const [call, denial] of refused) {
        const { hint, reason } = denial;
        const title = `${titleOf(call)}: ${reason}: ${hint}`;
        expect(hint.includes('`'), title).to.equal(textToPaste(hint) !== undefined);
        expect(textToPaste(hint) === undefined || !FIRM.has(reason), title).to.equal(true);
        if (textToPaste(hint) === undefined) continue;
        pasted += 1;
        const after = await loadPasted(yaml, hint);
        expect(after.snapshot.warnings, title).to.deep.equal([]);
        expect(passes(after.snapshot.policy, call), title).to.equal(true);
        for (const usual of everyday) {
          expect(verdict(decide(after.snapshot.policy, ...usual)), `${title}: ${titleOf(usual)}`).to.equal(
            verdict(decide(policy, ...usual)),
          );
        }
      }
      expect(pasted).to.be.at.least(4);
    });

    it(`${name}: a second and a third hint are pasted below the first`, async () => {
      let text = yaml;
      for (const call of [read('/srv/a.txt'), read('/srv/b.txt'), read('.env')]) {
        const decision = decide((await load(withoutTests(text))).snapshot.policy, ...call);
        if (decision.effect !== 'deny') throw new Error(`${titleOf(call)} is ${verdict(decision)}`);
        text = paste(text, decision.hint);
      }
      const { policy, warnings } = (await load(withoutTests(text))).snapshot;
      expect(warnings).to.deep.equal([]);
      for (const path of ['/srv/a.txt', '/srv/b.txt', '.env'])
        expect(passes(policy, read(path))).to.equal(true);
      expect(text.match(/^also_allow:/gm)).to.have.length(1);
    });
  }

  const WIDER: readonly (readonly [call: Call, others: readonly Call[]])[] = [
    [run('docker ps'), [run('docker run x'), run('docker'), run('podman ps')]],
    [run('docker --context prod ps'), [run('docker --context prod run x'), run('docker ps')]],
    [run('aws s3 ls'), [run('aws s3 rm x'), run('aws ec2 ls')]],
    [run('python3 train.py'), [run('python3 -c "print(1)"'), run('python3 other.py'), run('python3')]],
    [run('npm exec tsc'), [run('npm exec eslint'), run('npm publish')]],
    [run('du -s a'), [run('du -a a'), run('du -s b')]],
    [read('/srv/a.txt'), [read('/srv/b.txt'), read('/srv'), ['file_info', { path: '/srv/a.txt' }]]],
    [read('.env'), [read('.env.local'), read('sub/.env')]],
    [
      ['write_file', { path: 'a.txt' }],
      [
        ['write_file', { path: 'b.txt' }],
        ['edit_file', { path: 'a.txt' }],
      ],
    ],
  ];
  for (const [call, others] of WIDER) {
    it(`propose no more than ${titleOf(call)} needs`, async () => {
      const yaml = readFileSync('docs/policies/read-only-reviewer.yaml', 'utf8');
      const before = (await load(yaml)).snapshot.policy;
      const denial = decide(before, ...call);
      if (denial.effect !== 'deny') throw new Error(titleOf(call));
      const after = (await loadPasted(yaml, denial.hint)).snapshot.policy;
      expect(passes(after, call)).to.equal(true);
      for (const other of others) expect(passes(after, other), titleOf(other)).to.equal(false);
    });
  }

  it('name no line if a ceiling refuses the call as well', async () => {
    const yaml = 'extends: [builtin:readonly]\n';
    const files = { '/policy.yaml': yaml, '/ceiling.yaml': 'extends: [builtin:readonly]\n' };
    const loaded = await loadFiles(files, { ceiling: '/ceiling.yaml' });
    if (!loaded.success) throw new Error(loaded.error.message);
    const denial = decide(loaded.value.snapshot.policy, 'read_file', { path: '/srv/a.txt' });
    expect(denial.effect === 'deny' && denial.hint)
      .to.include('Tell the user')
      .and.not.include('`');
  });

  it('answer over the wire with the same text', async () => {
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
        '`also_allow:\n  - { tool: execute_command, command: [curl, example.com] }`',
      );
      const writing = await castellan.execute('write_file', { path: 'a.txt', content: '' });
      expect(writing.success ? '' : writing.error.message).to.include(
        '`also_allow:\n  - { tool: write_file, path: a.txt }`',
      );
      const incomplete = await castellan.execute('write_file', { content: '' });
      expect(incomplete.success ? '' : incomplete.error.message).to.include('does not allow write_file');
    } finally {
      await castellan.close();
      await project.remove();
    }
  });
});

/** A changed policy decides otherwise than its tests say; that is the point. */
function withoutTests(yaml: string): string {
  return yaml.replace(/^tests:\n(?: .*\n|\n)*/m, '');
}
