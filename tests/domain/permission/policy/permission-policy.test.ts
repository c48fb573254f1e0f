import { expect } from 'chai';
import type { Caller } from '../../../../src/domain/session/caller.js';
import { LOCAL_STDIO } from '../../../../src/domain/session/caller.js';
import { decide, policyOf, verdict } from '../../../support/policy-bench.js';

type Row = readonly [tool: string, args: Record<string, unknown>, wanted: string];

function table(title: string, yaml: string, rows: readonly Row[]): void {
  it(title, async () => {
    const policy = await policyOf(yaml);
    for (const [tool, args, wanted] of rows) {
      expect(verdict(decide(policy, tool, args)), `${tool} ${JSON.stringify(args)}`).to.equal(wanted);
    }
  });
}

describe('reading rules', () => {
  table('what nothing allows is refused', 'tools: { write_file: { allowed_paths: [out] } }', [
    ['write_file', { path: 'out/a' }, 'allow'],
    ['write_file', { path: 'src/a' }, 'deny NO_ALLOW'],
    ['edit_file', { path: 'out/a' }, 'deny NO_ALLOW'],
    ['nothing_like_it', {}, 'deny UNKNOWN_TOOL'],
  ]);

  table(
    'a deny beats every consent level, which beats allow, in any order',
    `tools:
  write_file:
    allowed_paths: [{ path: a, consent: explicit }, a, { path: a/b, consent: ask }, { path: c, consent: ask }, { path: c/d, consent: always }]
    denied_paths: [a/deny]`,
    [
      ['write_file', { path: 'a/deny/x' }, 'deny DENIED_PATH'],
      ['write_file', { path: 'a/b/x' }, 'explicit'],
      ['write_file', { path: 'c/x' }, 'ask'],
      ['write_file', { path: 'c/d/x' }, 'always'],
    ],
  );

  table('a deny-only list allows nothing', 'tools: { execute_command: { denied_commands: [rm] } }', [
    ['execute_command', { command: 'ls' }, 'deny NO_ALLOW'],
    ['execute_command', { command: 'rm x' }, 'deny DENIED_COMMAND'],
  ]);

  table(
    'everything but a few is written with a star, on purpose',
    'tools: { execute_command: { allowed_commands: ["*"], denied_commands: [rm] }, read_file: { allowed_paths: ["*"] } }',
    [
      ['execute_command', { command: 'python3 x.py' }, 'allow'],
      ['execute_command', { command: 'xargs rm' }, 'deny DENIED_COMMAND'],
      ['read_file', { path: '/etc/hosts' }, 'allow'],
      ['read_file', { path: '/home/user/.ssh/config' }, 'deny PROTECTED'],
      ['read_file', { path: '/proc/1/mem' }, 'deny PROTECTED'],
    ],
  );

  table(
    'a denied program is denied by any path and inside wrappers, however the rule writes it',
    'tools: { execute_command: { allowed_commands: ["*"], denied_commands: [/bin/rm, { command: [git, push], except: [[git, push, --dry-run]] }] } }',
    [
      ['execute_command', { command: 'rm x' }, 'deny DENIED_COMMAND'],
      ['execute_command', { command: '/usr/bin/rm x' }, 'deny DENIED_COMMAND'],
      ['execute_command', { command: 'nice timeout 5 rm x' }, 'deny DENIED_COMMAND'],
      ['execute_command', { command: 'sh -c "rm x"' }, 'deny DENIED_COMMAND'],
      ['execute_command', { command: 'git push origin' }, 'deny DENIED_COMMAND'],
      ['execute_command', { command: 'git push --dry-run' }, 'allow'],
      ['execute_command', { command: 'git status' }, 'allow'],
    ],
  );

  table(
    'only `except` makes a hole in a deny',
    'tools: { read_file: { allowed_paths: ["."], denied_paths: [{ path: "**/*.log", except: ["**/keep.log"] }] } }',
    [
      ['read_file', { path: 'a/x.log' }, 'deny DENIED_PATH'],
      ['read_file', { path: 'a/keep.log' }, 'allow'],
    ],
  );

  table(
    'denied paths of read_file bind everything that reveals, those of write_file everything that changes',
    `extends: [builtin:workspace]
tools:
  read_file: { denied_paths: [private] }
  write_file: { denied_paths: [frozen] }`,
    [
      ['list_directory', { path: 'private' }, 'deny DENIED_PATH'],
      ['search_content', { path: 'private/a' }, 'deny DENIED_PATH'],
      ['copy_path', { source: 'private/a', destination: 'b' }, 'deny DENIED_PATH'],
      ['move_path', { source: 'a', destination: 'frozen/a' }, 'deny DENIED_PATH'],
      ['execute_command', { command: 'cat private/a' }, 'deny DENIED_PATH'],
      ['execute_command', { command: 'ls > frozen/a' }, 'deny DENIED_PATH'],
      ['write_file', { path: 'private/a' }, 'allow'],
      ['read_file', { path: 'frozen/a' }, 'allow'],
      ['read_file', { path: 'private-not/a' }, 'allow'],
    ],
  );

  table('an allow never spreads to another tool', 'tools: { read_file: { allowed_paths: [/opt] } }', [
    ['read_file', { path: '/opt/a' }, 'allow'],
    ['list_directory', { path: '/opt' }, 'deny NO_ALLOW'],
  ]);

  table(
    "a tool's entry replaces the defaults",
    'defaults: { consent: ask }\ntools: { echo: { consent: never }, get_tool_stats: {} }',
    [
      ['echo', {}, 'allow'],
      ['get_tool_stats', {}, 'ask'],
    ],
  );

  table(
    'the server keeps its own files whatever a key says',
    'tools: { read_file: { allowed_paths: ["*", /state, permissions.yaml] }, write_file: { allowed_paths: ["*", .castellan] } }',
    [
      ['read_file', { path: 'permissions.yaml' }, 'deny PROTECTED'],
      ['read_file', { path: '/state/audit.jsonl' }, 'deny PROTECTED'],
      ['write_file', { path: 'permissions.yaml' }, 'deny PROTECTED'],
      ['write_file', { path: '.castellan/flags.json' }, 'deny PROTECTED'],
      ['write_file', { path: '/proc/self/root/etc/passwd' }, 'deny PROTECTED'],
    ],
  );

  table(
    'interpreters need a star or a rule that says so; words after a program must match',
    `tools:
  execute_command:
    allowed_commands: [python3, { command: [node], interpreter: true }, { command: [npm, run, [test, build]], consent: ask }, git log]
    shell: none`,
    [
      ['execute_command', { command: 'python3 x.py' }, 'deny NO_ALLOW'],
      ['execute_command', { command: 'node x.js' }, 'allow'],
      ['execute_command', { command: 'npm run test' }, 'ask'],
      ['execute_command', { command: 'npm run deploy' }, 'deny NO_ALLOW'],
      ['execute_command', { command: 'npm', args: ['run', 'build'] }, 'ask'],
      ['execute_command', { command: 'npm run t*' }, 'deny NO_ALLOW'],
      ['execute_command', { command: 'git log' }, 'allow'],
      ['execute_command', { command: 'git log; git log' }, 'deny SHELL_SYNTAX'],
    ],
  );

  table(
    'arguments are held to their constraints, models and environment to their lists',
    `tools:
  delete_path: { allowed_paths: [out], arguments: { recursive: { const: false }, path: { type: string, maxLength: 12, pattern: "^out/[a-z]+$" } } }
  claude_conversation: { allowed_models: ["claude-*"] }
  execute_command: { allowed_commands: [ls], env: { accept: [LANG] } }`,
    [
      ['delete_path', { path: 'out/a', recursive: false }, 'allow'],
      ['delete_path', { path: 'out/a' }, 'allow'],
      ['delete_path', { path: 'out/a', recursive: true }, 'deny ARGUMENT'],
      ['delete_path', { path: 'out/aaaaaaaaaaaaa' }, 'deny ARGUMENT'],
      ['delete_path', { path: 'out/1' }, 'deny ARGUMENT'],
      ['claude_conversation', { model: 'claude-x' }, 'allow'],
      ['claude_conversation', { model: 'gpt' }, 'deny ARGUMENT'],
      ['claude_conversation', {}, 'allow'],
      ['execute_command', { command: 'ls', env: { LANG: 'C' } }, 'allow'],
      ['execute_command', { command: 'ls', env: { LD_PRELOAD: 'x' } }, 'deny ARGUMENT'],
    ],
  );

  table('what cannot be understood is refused', 'tools: { read_file: { allowed_paths: ["*"] } }', [
    ['read_file', { path: 'a\0b' }, 'deny UNPARSEABLE'],
    ['read_file', { path: 'x'.repeat(5000) }, 'deny UNPARSEABLE'],
    ['read_file', { path: '' }, 'deny UNPARSEABLE'],
    ['read_file', { path: '語'.repeat(86) }, 'deny UNPARSEABLE'],
    ['read_file', { path: '語'.repeat(85) }, 'allow'],
    ['read_file', { path: 'a/'.repeat(1000) }, 'allow'],
    ['read_file', { path: '\ud800' }, 'deny UNPARSEABLE'],
  ]);
});

describe('roles', () => {
  const yaml = `
principals:
  - { match: { transport: [stdio] }, roles: [operator] }
  - { match: { issuer: "https://id", claim: { groups: sre } }, roles: [operator] }
  - { match: { issuer: "https://id" }, roles: [viewer] }
  - { match: { api_key: "sha256:${'a'.repeat(64)}" }, roles: [viewer] }
roles:
  viewer: { tools: [read_file, "search_*"] }
  operator: { inherits: [viewer], tools: [write_file, echo], denied_tools: [search_content] }
tools: { write_file: { allowed_paths: ["."] } }`;
  const http = (parts: Partial<Caller>): Caller => ({ id: 'x', transport: 'http', ...parts });

  it('come from transport, issuer, claims and keys, and are united', async () => {
    const policy = await policyOf(yaml);
    expect(policy.rolesOf(LOCAL_STDIO)).to.deep.equal(['operator']);
    expect(policy.rolesOf(http({ issuer: 'https://id', claims: { groups: ['dev', 'sre'] } }))).to.deep.equal([
      'operator',
      'viewer',
    ]);
    expect(policy.rolesOf(http({ apiKeyHash: `sha256:${'a'.repeat(64)}` }))).to.deep.equal(['viewer']);
    expect(policy.rolesOf(http({ issuer: 'https://other' }))).to.deep.equal([]);
  });

  it('decide which tools a caller may use and see', async () => {
    const policy = await policyOf(yaml);
    const viewer = http({ issuer: 'https://id' });
    expect(verdict(decide(policy, 'write_file', { path: 'a' }, { caller: viewer }))).to.equal('deny ROLE');
    expect(verdict(decide(policy, 'search_content', {}, { caller: viewer }))).to.equal('allow');
    expect(verdict(decide(policy, 'search_content', {}))).to.equal('deny ROLE');
    expect(policy.couldAllow(viewer, 'write_file')).to.equal(false);
    expect(policy.couldAllow(viewer, 'search-files')).to.equal(true);
    expect(policy.couldAllow(LOCAL_STDIO, 'write_file')).to.equal(true);
  });

  it('without principals, every authenticated caller has the default role and an anonymous one has none', async () => {
    const policy = await policyOf('tools: { echo: {} }');
    expect(verdict(decide(policy, 'echo', {}, { caller: http({ issuer: 'i' }) }))).to.equal('allow');
    expect(verdict(decide(policy, 'echo', {}, { caller: http({}) }))).to.equal('deny ROLE');
  });
});

describe('tools/list', () => {
  it('shows a tool only when some argument could pass', async () => {
    const policy = await policyOf(
      'tools: { write_file: { denied_paths: [a] }, execute_command: { allowed_commands: [ls] }, echo: { enabled: false } }',
    );
    expect(
      ['write_file', 'execute_command', 'echo', 'read_file', 'edit_file'].filter((tool) =>
        policy.couldAllow(LOCAL_STDIO, tool),
      ),
    ).to.deep.equal(['execute_command', 'read_file']);
  });
});

describe('obligations', () => {
  it('of a command are those of its entry, tightened by every rule it uses', async () => {
    const policy = await policyOf(`
sandboxes: { online: { filesystem: { read: ["."], write: [out] }, network: full } }
tools:
  execute_command:
    sandbox: online
    network: full
    timeout: 60
    allowed_commands: [ls, { command: npm, network: none, sandbox: readonly, timeout: 5, consent: ask, remember: 15m }]
audit: { required_for: [execute-command], arguments: shape }`);
    const plain = decide(policy, 'execute_command', { command: 'ls' });
    if (plain.effect !== 'allow') throw new Error('expected an allow');
    expect(plain.obligations).to.deep.include({
      network: 'full',
      auditRequired: true,
      auditArguments: 'shape',
    });
    expect(plain.obligations.sandbox).to.deep.include({
      name: 'online',
      write: ['/workspace/out'],
      network: 'full',
    });
    const strict = decide(policy, 'execute_command', { command: 'ls && npm ci' });
    if (strict.effect !== 'consent') throw new Error('expected a question');
    expect(strict.consent).to.deep.equal({ mode: 'ask', rememberMs: 900_000 });
    expect(strict.obligations.limits.timeoutMs).to.equal(5000);
    expect(strict.obligations.network).to.equal('none');
    expect(strict.obligations.sandbox).to.deep.include({ write: [], network: 'none' });
  });

  it('carry the phrase of this very call', async () => {
    const policy = await policyOf(
      `tools: { delete_path: { allowed_paths: [out], consent: { mode: explicit, phrase: "delete \${path}", expires: 120s } } }`,
    );
    const decision = decide(policy, 'delete_path', { path: 'out/a' });
    expect(decision.effect === 'consent' && decision.consent).to.deep.equal({
      mode: 'explicit',
      phrase: 'delete out/a',
      expiresMs: 120_000,
    });
  });
});

describe('views for guards and walkers', () => {
  it('answer for one path what the decision would', async () => {
    const policy = await policyOf(
      'extends: [builtin:workspace]\ntools: { read_file: { denied_paths: [private] } }',
    );
    const view = policy.viewFor('list_directory');
    expect(
      ['src', 'private/a', '.env', '../x'].map((path) =>
        view.canRead(`/workspace/${path}`.replace('/workspace/..', '')),
      ),
    ).to.deep.equal([true, false, false, false]);
    expect(policy.viewFor('write_file').canWrite('/workspace/.git/config')).to.equal(false);
    expect(policy.patterns().hidden.map((rule) => rule.pattern)).to.include.members([
      '/workspace/private',
      '**/.env*',
    ]);
  });
});
