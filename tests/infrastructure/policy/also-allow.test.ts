import { expect } from 'chai';
import { describe, it } from 'mocha';
import { decide, load, loadFiles, policyOf, problemsOf, verdict } from '../../support/policy-bench.js';

async function verdicts(yaml: string, calls: readonly (readonly [string, Record<string, unknown>])[]) {
  const policy = await policyOf(yaml);
  return calls.map(([tool, args]) => verdict(decide(policy, tool, args)));
}

const read = (path: string) => ['read_file', { path }] as const;
const run = (command: string) => ['execute_command', { command }] as const;

describe('also_allow', () => {
  it('adds to an inherited list, to a list of the file, and makes an entry where there is none', async () => {
    const added = 'also_allow: [{ tool: read_file, path: .env }, { tool: write_file, path: a.txt }]';
    const calls = [
      read('README.md'),
      read('.env'),
      read('.env.local'),
      ['write_file', { path: 'a.txt' }],
    ] as const;
    expect(await verdicts(`extends: [builtin:readonly]\n${added}`, calls)).to.deep.equal([
      'allow',
      'allow',
      'deny PROTECTED',
      'allow',
    ]);
    expect(
      await verdicts(`tools: { read-file: { allowed_paths: [src] } }\n${added}`, [
        read('src/a'),
        read('.env'),
        read('README.md'),
      ]),
    ).to.deep.equal(['allow', 'allow', 'deny NO_ALLOW']);
  });

  it('gives way to a list of a file that extends its own', async () => {
    const files = {
      '/base.yaml': 'extends: [builtin:workspace]\nalso_allow: [{ tool: read_file, path: .env }]\n',
      '/policy.yaml': 'extends: [base.yaml]\ntools: { read_file: { allowed_paths: [src] } }\n',
      '/same.yaml': 'extends: [base.yaml]\nalso_allow: [{ tool: read_file, path: /srv/a }]\n',
    };
    const decideIn = async (file: string, path: string) => {
      const loaded = await loadFiles(files, { file });
      if (!loaded.success) throw new Error(loaded.error.message);
      return verdict(decide(loaded.value.snapshot.policy, 'read_file', { path }));
    };
    expect(await decideIn('/policy.yaml', '.env')).to.equal('deny PROTECTED');
    expect(await decideIn('/same.yaml', '.env')).to.equal('allow');
    expect(await decideIn('/same.yaml', '/srv/a')).to.equal('allow');
    expect(await decideIn('/same.yaml', 'README.md')).to.equal('allow');
  });

  it('lifts no deny, no ceiling, no role, no constraint and no switch', async () => {
    const env = 'also_allow: [{ tool: read_file, path: .env }]\n';
    const denied = 'extends: [builtin:workspace]\ntools: { read_file: { denied_paths: [.env] } }\n';
    expect(await verdicts(denied + env, [read('.env')])).to.deep.equal(['deny DENIED_PATH']);
    const roles = `extends: [builtin:workspace]
principals: [{ match: { transport: [stdio] }, roles: [r] }]
roles: { r: { tools: [echo] } }
`;
    expect(await verdicts(roles + env, [read('.env')])).to.deep.equal(['deny ROLE']);
    const files = {
      '/policy.yaml': `extends: [builtin:workspace]\n${env}`,
      '/top.yaml': 'extends: [builtin:workspace]\n',
    };
    const loaded = await loadFiles(files, { ceiling: '/top.yaml' });
    expect(loaded.success && verdict(decide(loaded.value.snapshot.policy, ...read('.env')))).to.equal(
      'deny PROTECTED',
    );
    const never = 'also_allow: [{ tool: read_file, path: permissions.yaml }]';
    expect(await verdicts(never, [read('permissions.yaml')])).to.deep.equal(['deny PROTECTED']);
  });

  it('takes commands with all that a rule may say, hosts, variables and tools by themselves', async () => {
    const yaml = `extends: [builtin:readonly]
also_allow:
  - { tool: execute_command, command: [npm, test] }
  - { tool: execute_command, command: [npm, [ci, install]], network: full, consent: ask }
  - { tool: execute_command, env: NODE_ENV }
  - { tool: claude_conversation, host: api.example.com }
  - { tool: set_project_flag, why: tried out }
`;
    expect(await problemsOf(yaml)).to.deep.equal([
      '/policy.yaml:7:31: Unknown key "why". Known here: tool. Your own notes begin with x-.',
    ]);
    const policy = await policyOf(yaml.replace(', why: tried out', ''));
    expect(verdict(decide(policy, ...run('npm test')))).to.equal('allow');
    const install = decide(policy, ...run('npm ci'));
    expect(install.effect === 'consent' && install.obligations.network).to.equal('full');
    expect(
      verdict(decide(policy, 'execute_command', { command: 'npm test', env: { NODE_ENV: 'x' } })),
    ).to.equal('allow');
    expect(verdict(decide(policy, 'set_project_flag', { name: 'a', value: true }))).to.equal('allow');
  });

  it('keeps what defaults accept, and a list of hosts that is not there', async () => {
    const yaml = `extends: [builtin:workspace]
defaults: { env: { accept: [LANG] } }
tools: { claude_conversation: {} }
also_allow:
  - { tool: execute_command, env: TERM }
  - { tool: claude_conversation, host: api.example.com }
`;
    const { policy } = (await load(yaml)).snapshot;
    expect(policy.environmentOf('execute_command').accept).to.deep.equal(['LANG', 'TERM']);
    expect(verdict(decide(policy, 'claude_conversation', { message: 'x' }))).to.equal('allow');
  });

  it('may stand empty, as a place for lines to come', async () => {
    expect(await problemsOf('extends: [builtin:workspace]\nalso_allow:\n')).to.deep.equal([]);
  });

  const wrong: readonly (readonly [title: string, yaml: string, problem: RegExp])[] = [
    ['a tool is missing', 'also_allow: [{ path: a }]', /"tool" is missing/],
    [
      'two kinds stand in one',
      'also_allow: [{ tool: read_file, path: a, host: b }]',
      /path and host stand in one/,
    ],
    ['a key is unknown', 'also_allow: [{ tool: read_file, paths: [a] }]', /Unknown key "paths"/],
    ['it is a word', 'also_allow: [read_file]', /Expected one permission/],
    [
      'it stands twice',
      'also_allow: [{ tool: echo }]\nalso_allow: [{ tool: echo }]',
      /"also_allow" appears twice/,
    ],
    ['the tool takes no path', 'also_allow: [{ tool: echo, path: a }]', /allowed_paths has no effect: echo/],
    [
      'the tool runs nothing',
      'also_allow: [{ tool: read_file, command: ls }]',
      /allowed_commands has no effect/,
    ],
    ['the entry is there', 'also_allow: [{ tool: echo }]', /echo has an entry already/],
    ['the tool is off', 'tools: { echo: { enabled: false } }\nalso_allow: [{ tool: echo }]', /switched off/],
    ['a group binds nothing', 'also_allow: [{ tool: files.write, path: a }]', /names no folders/],
    ['a group has no path', 'also_allow: [{ tool: files.write }]', /it takes a path/],
    ['another entry decides', 'also_allow: [{ tool: process_output }]', /has no entry of its own/],
    ['a pattern matches nothing', 'also_allow: [{ tool: read_file, path: "~bob" }]', /matches nothing/],
  ];
  for (const [title, yaml, problem] of wrong) {
    it(`is refused if ${title}`, async () => {
      expect((await problemsOf(`extends: [builtin:baseline]\n${yaml}\n`)).join('\n')).to.match(problem);
    });
  }
});
