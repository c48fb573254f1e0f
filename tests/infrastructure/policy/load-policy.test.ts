import { expect } from 'chai';
import { LOCAL_STDIO } from '../../../src/domain/session/caller.js';
import { policyTemplate } from '../../../src/infrastructure/policy/policy-templates.js';
import {
  decide,
  load,
  loadFiles,
  loadFromDisk,
  policyOf,
  problemsOf,
  SEED_POLICY,
  verdict,
} from '../../support/policy-bench.js';

describe("the seed's policy", () => {
  const calls: readonly [string, Record<string, unknown>, string][] = [
    ['write_file', { path: './output/a.txt' }, 'allow'],
    ['write_file', { path: './output' }, 'allow'],
    ['write_file', { path: '/tmp/a/b.txt' }, 'allow'],
    ['write_file', { path: '/etc/passwd' }, 'deny DENIED_PATH'],
    ['write_file', { path: '/usr/bin/x' }, 'deny DENIED_PATH'],
    ['write_file', { path: '/etc-not/x' }, 'deny NO_ALLOW'],
    ['write_file', { path: './output-evil/a.txt' }, 'deny NO_ALLOW'],
    ['write_file', { path: './output/../../etc/passwd' }, 'deny DENIED_PATH'],
    ['execute_command', { command: 'ls | grep x' }, 'allow'],
    ['execute_command', { command: 'ls *.ts' }, 'allow'],
    ['execute_command', { command: 'find . -name "*.ts"' }, 'allow'],
    ['execute_command', { command: 'ls', args: ['-la'] }, 'allow'],
    ['execute_command', { command: 'rm x' }, 'deny DENIED_COMMAND'],
    ['execute_command', { command: '/bin/rm x' }, 'deny DENIED_COMMAND'],
    ['execute_command', { command: 'ls; rm x' }, 'deny DENIED_COMMAND'],
    ['execute_command', { command: 'env rm x' }, 'deny DENIED_COMMAND'],
    ['execute_command', { command: 'env ls' }, 'deny NO_ALLOW'],
    ['execute_command', { command: 'find . -delete' }, 'deny HAZARDOUS_ARGUMENT'],
    ['execute_command', { command: 'find . -exec id +' }, 'deny HAZARDOUS_ARGUMENT'],
    ['execute_command', { command: 'ls $(id)' }, 'deny SHELL_SYNTAX'],
    ['execute_command', { command: './ls' }, 'deny NO_ALLOW'],
    ['execute_command', { command: '/tmp/ls' }, 'deny NO_ALLOW'],
    ['execute_command', { command: 'cat .env' }, 'deny PROTECTED'],
    ['execute_command', { command: 'ls > output/list' }, 'deny NO_ALLOW'],
    ['execute_command', { command: 'ls 2> /dev/null' }, 'allow'],
  ];

  it('S4-23: is accepted unchanged and decides as it says, without asking anybody', async () => {
    const policy = await policyOf(SEED_POLICY);
    for (const [tool, args, wanted] of calls) {
      expect(verdict(decide(policy, tool, args)), `${tool} ${JSON.stringify(args)}`).to.equal(wanted);
    }
  });

  it('S4-23: gives its commands the timeout it names', async () => {
    const decision = decide(await policyOf(SEED_POLICY), 'execute_command', { command: 'ls' });
    expect(decision.effect === 'allow' && decision.obligations.limits.timeoutMs).to.equal(30_000);
    expect(decision.effect === 'allow' && decision.obligations.sandbox?.name).to.equal('readonly');
  });

  it('S4-24: stands between a call and its tool: what no entry lists is refused', async () => {
    const policy = await policyOf(SEED_POLICY);
    expect(verdict(decide(policy, 'delete_path', { path: './output/a' }))).to.equal('deny NO_ALLOW');
    expect(verdict(decide(policy, 'format_disk', {}))).to.equal('deny UNKNOWN_TOOL');
  });
});

describe('files that ship with the server', () => {
  it('S4-23: config/permissions.yaml passes its own tests and decides as the seed does', async () => {
    const loaded = await loadFromDisk('config/permissions.yaml');
    expect(loaded.success ? [] : loaded.error.problems).to.deep.equal([]);
    const { policy } = loaded.success
      ? loaded.value.snapshot
      : await load(SEED_POLICY).then((x) => x.snapshot);
    expect(verdict(decide(policy, 'write_file', { path: '/etc/x' }))).to.equal('deny DENIED_PATH');
  });

  it('a file with every key of the language loads, and passes its own tests', async () => {
    const loaded = await loadFromDisk('tests/support/every-key-permissions.yaml');
    expect(loaded.success ? [] : loaded.error.problems).to.deep.equal([]);
    expect(loaded.success && loaded.value.snapshot.warnings).to.deep.equal([]);
    expect(loaded.success && loaded.value.snapshot.redaction.patterns.map(({ name }) => name)).to.deep.equal([
      'employee-id',
    ]);
  });

  for (const profile of ['readonly', 'workspace'] as const) {
    it(`what init writes for ${profile} passes its own tests and has no warning but the intended one`, async () => {
      const { snapshot } = await load(policyTemplate(profile));
      expect(snapshot.warnings).to.deep.equal([]);
      expect(snapshot.origin).to.deep.equal(['/policy.yaml', `builtin:${profile}`]);
    });
  }
});

describe('builtin:workspace', () => {
  const calls: readonly [string, Record<string, unknown>, string][] = [
    ['write_file', { path: 'src/a.ts' }, 'allow'],
    ['write_file', { path: '.env' }, 'deny NO_ALLOW'],
    ['write_file', { path: '.git/hooks/pre-commit' }, 'deny PROTECTED'],
    ['write_file', { path: '/etc/hosts' }, 'deny NO_ALLOW'],
    ['read_file', { path: '.env' }, 'deny PROTECTED'],
    ['read_file', { path: '.env.example' }, 'allow'],
    ['move_path', { source: '.env', destination: 'a' }, 'deny PROTECTED'],
    ['execute_command', { command: 'python3 -c "print(1)"' }, 'allow'],
    ['execute_command', { command: 'find . -name x -delete' }, 'allow'],
    ['execute_command', { command: 'ls > out.txt' }, 'allow'],
    ['execute_command', { command: 'echo x > .git/hooks/pre-commit' }, 'deny PROTECTED'],
    ['delete_path', { path: 'a' }, 'ask'],
    ['delete_document', { name: 'a' }, 'ask'],
  ];
  for (const [tool, args, wanted] of calls) {
    it(`${tool} ${JSON.stringify(args)}: ${wanted}`, async () => {
      const policy = await policyOf('extends: [builtin:workspace]');
      expect(verdict(decide(policy, tool, args))).to.equal(wanted);
    });
  }

  it('lets an entry name a secret or a protected file', async () => {
    const policy = await policyOf(`
extends: [builtin:workspace]
tools:
  read_file: { allowed_paths: [".", .env.test] }
  write_file: { allowed_paths: [".", .github/workflows] }`);
    expect(verdict(decide(policy, 'read_file', { path: '.env.test' }))).to.equal('allow');
    expect(verdict(decide(policy, 'read_file', { path: '.env' }))).to.equal('deny PROTECTED');
    expect(verdict(decide(policy, 'search_content', { path: '.env.test' }))).to.equal('deny PROTECTED');
    expect(verdict(decide(policy, 'write_file', { path: '.github/workflows/ci.yml' }))).to.equal('allow');
    expect(verdict(decide(policy, 'write_file', { path: 'sub/.github/workflows/ci.yml' }))).to.equal('ask');
  });
});

describe('files that extend each other', () => {
  const base = `
tools:
  write_file: { allowed_paths: [a, b], denied_paths: [b/x], limits: { timeout: 10 }, consent: ask }
  echo: { enabled: false }`;

  it('merge maps, replace lists, unite denies and take the smallest limit', async () => {
    const loaded = await loadFiles({
      '/base.yaml': base,
      '/policy.yaml': `
extends: [./base.yaml]
tools:
  write-file: { allowed_paths: [b], denied_paths: [b/y], timeout: 60, consent: never }`,
    });
    if (!loaded.success) throw new Error(loaded.error.message);
    const { policy } = loaded.value.snapshot;
    expect(verdict(decide(policy, 'write_file', { path: 'a/1' }))).to.equal('deny NO_ALLOW');
    expect(verdict(decide(policy, 'write_file', { path: 'b/x/1' }))).to.equal('deny DENIED_PATH');
    expect(verdict(decide(policy, 'write_file', { path: 'b/y/1' }))).to.equal('deny DENIED_PATH');
    expect(verdict(decide(policy, 'echo', {}))).to.equal('deny DISABLED');
    const decision = decide(policy, 'write_file', { path: 'b/1' });
    expect(decision.effect === 'allow' && decision.obligations.limits.timeoutMs).to.equal(10_000);
  });

  it('meet at the slower rate, and hold to the limits of tokens of both', async () => {
    const talk = (rate: string, tokens: string) =>
      `tools: { claude_conversation: { rate: { limit: ${rate} }, tokens: { limit: ${tokens} } } }`;
    const loaded = await loadFiles({
      '/base.yaml': talk('1/min', '1000/h'),
      '/policy.yaml': `extends: [./base.yaml]\n${talk('9/min', '5000/day')}`,
    });
    if (!loaded.success) throw new Error(loaded.error.message);
    const decision = decide(loaded.value.snapshot.policy, 'claude_conversation', {});
    if (decision.effect !== 'allow') throw new Error(verdict(decision));
    const { rate, tokens } = decision.obligations;
    expect(rate).to.include({ limit: 1, windowMs: 60_000 });
    expect(tokens?.map(({ limit, windowMs }) => [limit, windowMs])).to.deep.equal([
      [1000, 3_600_000],
      [5000, 86_400_000],
    ]);
  });

  it('refuse a circle and name the line that closes it', async () => {
    const problems = await problemsOf('extends: [./base.yaml]', {
      '/base.yaml': 'tools: {}\nextends: [policy.yaml]',
    });
    expect(problems).to.have.length(1);
    expect(problems[0]).to.match(/^\/base\.yaml:2:11: .*extends a file that extends it/);
  });

  it('inherit nothing from an empty list', async () => {
    const policy = await policyOf('extends: []\ntools: { echo: {} }');
    expect(verdict(decide(policy, 'read_file', { path: 'a' }))).to.equal('deny NO_ALLOW');
    expect(verdict(decide(policy, 'echo', {}))).to.equal('allow');
  });
});

describe('a ceiling', () => {
  it('narrows the file and never widens it', async () => {
    const loaded = await loadFiles(
      {
        '/policy.yaml': `
tools:
  write_file: { allowed_paths: [a, b], limits: { max_file_bytes: 5MiB } }
  execute_command: { allowed_commands: ["*"], sandbox: workspace, env: { set: { A: "1" } } }`,
        '/ceiling.yaml': `
tools:
  write_file: { allowed_paths: [b, c], consent: ask, limits: { max_file_bytes: 1MiB } }
  execute_command: { allowed_commands: ["*"], denied_commands: [curl], sandbox: readonly, env: { set: { B: "2" } } }`,
      },
      { ceiling: '/ceiling.yaml' },
    );
    if (!loaded.success) throw new Error(loaded.error.message);
    const { policy } = loaded.value.snapshot;
    expect(verdict(decide(policy, 'write_file', { path: 'a/1' }))).to.equal('deny NO_ALLOW');
    expect(verdict(decide(policy, 'write_file', { path: 'c/1' }))).to.equal('deny NO_ALLOW');
    const written = decide(policy, 'write_file', { path: 'b/1' });
    expect(verdict(written)).to.equal('ask');
    expect(written.effect === 'consent' && written.obligations.limits.maxFileBytes).to.equal(1024 ** 2);
    expect(verdict(decide(policy, 'execute_command', { command: 'curl x' }))).to.equal('deny DENIED_COMMAND');
    const run = decide(policy, 'execute_command', { command: 'ls' });
    expect(run.effect === 'allow' && run.obligations.sandbox?.write).to.deep.equal([]);
    expect(run.effect === 'allow' && run.obligations.env.set).to.deep.equal({ A: '1' });
  });
});

describe('models', () => {
  const talk = (entry: string) => `tools: { claude_conversation: ${entry} }`;

  it('must be allowed by the file and by its ceiling, and tokens keep to both', async () => {
    const loaded = await loadFiles(
      {
        '/policy.yaml': talk('{ allowed_models: ["claude-*"], tokens: { limit: 900/h } }'),
        '/ceiling.yaml': talk(
          '{ allowed_models: [claude-haiku-*, gpt], tokens: { limit: 100/min, per: instance } }',
        ),
      },
      { ceiling: '/ceiling.yaml' },
    );
    if (!loaded.success) throw new Error(loaded.error.message);
    const { policy } = loaded.value.snapshot;
    const asked = (model: string) => verdict(decide(policy, 'claude_conversation', { model }));
    expect(asked('claude-haiku-5')).to.equal('allow');
    expect(asked('claude-opus-5')).to.equal('deny ARGUMENT');
    expect(asked('gpt')).to.equal('deny ARGUMENT');
    expect(policy.allowsModel('claude_conversation', 'claude-haiku-5')).to.equal(true);
    expect(policy.allowsModel('claude_conversation', 'gpt')).to.equal(false);
    const decision = decide(policy, 'claude_conversation', { model: 'claude-haiku-5' });
    expect(decision.effect === 'allow' && decision.obligations.tokens).to.deep.equal([
      { per: 'principal', limit: 900, windowMs: 3_600_000, onStoreFailure: 'local' },
      { per: 'instance', limit: 100, windowMs: 60_000, onStoreFailure: 'local' },
    ]);
  });

  it('are any with a star, none with an empty list, and then the tool is not listed', async () => {
    const any = await policyOf(talk('{ allowed_models: ["*"] }'));
    expect(verdict(decide(any, 'claude_conversation', { model: 'vendor/any' }))).to.equal('allow');
    const none = await policyOf(talk('{ allowed_models: [] }'));
    expect(verdict(decide(none, 'claude_conversation', { model: 'claude-x' }))).to.equal('deny ARGUMENT');
    expect(none.couldAllow(LOCAL_STDIO, 'claude_conversation')).to.equal(false);
    expect(any.couldAllow(LOCAL_STDIO, 'claude_conversation')).to.equal(true);
  });
});

describe('a file that nobody trusts', () => {
  const greedy = `
extends: []
principals: [{ match: { transport: [http] }, roles: [default] }]
tools:
  execute_command: { allowed_commands: ["*"], sandbox: none }
  write_file: { allowed_paths: ["*"] }
  read_file: { allowed_paths: [src] }
  echo: {}`;

  it('gains nothing: it can only narrow the baseline', async () => {
    const policy = await policyOf(greedy, { trusted: false });
    expect(verdict(decide(policy, 'execute_command', { command: 'ls' }))).to.equal('deny NO_ALLOW');
    expect(verdict(decide(policy, 'write_file', { path: 'a' }))).to.equal('deny NO_ALLOW');
    expect(verdict(decide(policy, 'read_file', { path: 'docs/a' }))).to.equal('deny NO_ALLOW');
    expect(verdict(decide(policy, 'read_file', { path: 'src/a' }))).to.equal('allow');
    expect(verdict(decide(policy, 'echo', {}))).to.equal('allow');
  });

  it('is asked about by content, with every file it extends', async () => {
    const asked: string[] = [];
    const loaded = await loadFiles(
      { '/policy.yaml': 'extends: [other.yaml]\ntools: { echo: {} }', '/other.yaml': greedy },
      {
        trusted: async (file, content) => {
          asked.push(`${file} ${new TextDecoder().decode(content).length > 0}`);
          return file === '/policy.yaml';
        },
      },
    );
    expect(asked).to.deep.equal(['/policy.yaml true', '/other.yaml true']);
    expect(loaded.success && loaded.value.trusted).to.equal(false);
  });
});
