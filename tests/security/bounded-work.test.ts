import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { eventually } from '../support/eventually.js';
import { MAIN, SpawnedServer, type WireMessage } from '../support/spawned-server.js';

const WORKSPACE_POLICY = 'extends: [builtin:workspace]\n';

describe('work whose time the input decides', function () {
  this.timeout(60_000);
  let root: string;
  let workspace: string;
  let server: SpawnedServer | undefined;

  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-bounded-')));
    workspace = join(root, 'workspace');
    mkdirSync(workspace);
    put('a.txt', 'hello\n');
  });
  afterEach(async () => {
    await server?.kill();
    rmSync(root, { recursive: true, force: true });
  });

  function put(path: string, text: string): void {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  }

  async function start(policy?: string): Promise<SpawnedServer> {
    const file = join(root, 'permissions.yaml');
    if (policy !== undefined) writeFileSync(file, policy);
    const args = ['serve', '--workspace', workspace, ...(policy === undefined ? [] : ['--policy', file])];
    server = new SpawnedServer(
      MAIN,
      { HOME: root, XDG_STATE_HOME: join(root, 'state') },
      { args, cwd: workspace },
    );
    await server.initialize();
    return server;
  }

  function textOf(answer: WireMessage): string {
    return JSON.stringify(answer.result ?? answer.error);
  }

  /** The server answers others, lets go of the call, and goes when its client does. */
  async function staysInCharge(running: SpawnedServer, call: string): Promise<void> {
    await running.request('ping', 'ping');
    await running.send({ method: 'notifications/cancelled', params: { requestId: call } });
    expect(textOf(await running.callTool('echo', 'echo', { message: 'still here' }))).to.include(
      'still here',
    );
    expect(await running.end()).to.deep.equal({ code: 0, signal: null });
  }

  for (const [kind, make] of [
    ['a named pipe', (path: string) => execFileSync('mkfifo', [path])],
    ['a link to a device', (path: string) => symlinkSync('/dev/zero', path)],
  ] as const) {
    it(`does not read ${kind} that a repository within the workspace points at`, async () => {
      put('sub/.git', 'gitdir: ../x\n');
      put('.git', 'gitdir: ./x\n');
      mkdirSync(join(workspace, 'x'));
      make(join(workspace, 'x', 'gitdir'));
      const running = await start(WORKSPACE_POLICY);
      await running.callTool('command', 'execute_command', { command: 'true' });
      expect(textOf(await running.callTool('read', 'read_file', { path: 'a.txt' }))).to.include('hello');
      expect(running.rss).to.be.below(400 * 1024 * 1024);
      expect(await running.end()).to.deep.equal({ code: 0, signal: null });
    });
  }

  it('gives up an expression over a line of megabytes', async () => {
    put('bundle.min.js', `${'a'.repeat(5_000_000)}\n`);
    const query = Array.from({ length: 200 }, (_, at) => `a*a*a*${at}`)
      .join('|')
      .slice(0, 3900);
    const running = await start();
    running.post({
      id: 'search',
      method: 'tools/call',
      params: { name: 'search_content', arguments: { query, path: 'bundle.min.js' } },
    });
    await eventually('the search is busy', () => childrenOf(running.pid).length > 0);
    await staysInCharge(running, 'search');
  });

  it('gives up a rule on syntax, and its process goes with it', async () => {
    put('castellan.yaml', 'categories:\n  patterns: { dir: docs/p, patterns: ["*.md"] }\n');
    const rule = '{ pattern: "$A", inside: { stopBy: end, has: { stopBy: end, pattern: "zzz" } } }';
    const rules = `rules:\n  - id: r1\n    severity: error\n    message: m\n    languages: [typescript]\n    ast_grep: ${rule}\n`;
    put('docs/p/slow.md', `---\n${rules}---\n# Slow\n`);
    const running = await start();
    const code = `${'('.repeat(8000)}1${')'.repeat(8000)}`;
    running.post({
      id: 'rule',
      method: 'tools/call',
      params: {
        name: 'validate_against_pattern',
        arguments: { code, pattern_name: 'slow', language: 'typescript' },
      },
    });
    await eventually('the rule is tried', () => childrenOf(running.pid).length > 0);
    const [worker = 0] = childrenOf(running.pid);
    await staysInCharge(running, 'rule');
    await eventually('its process has gone', () => !isAlive(worker));
  });

  it('refuses edits that multiply a text until it fits nowhere', async () => {
    put('a.txt', `${'a'.repeat(60)}\n`);
    const running = await start(WORKSPACE_POLICY);
    const edit = { old_text: 'a', new_text: 'aaaaaaaa', replace_all: true };
    const edits = Array.from({ length: 100 }, () => edit);
    const answer = await running.callTool('edit', 'edit_file', { path: 'a.txt', edits, dry_run: true });
    expect(textOf(answer)).to.include('would grow to');
    expect(running.rss).to.be.below(600 * 1024 * 1024);
    await staysInCharge(running, 'edit');
  });

  it('loses no thread to flags that are a named pipe', async () => {
    mkdirSync(join(workspace, '.castellan'));
    execFileSync('mkfifo', [join(workspace, '.castellan', 'flags.json')]);
    const running = await start();
    // More than there are threads.
    for (let call = 0; call < 8; call += 1) {
      const answer = await running.callTool(`flag ${call}`, 'get_project_flag', { flag: 'a' });
      expect(textOf(answer)).to.include('named pipe');
    }
    expect(textOf(await running.callTool('read', 'read_file', { path: 'a.txt' }))).to.include('hello');
    expect(textOf(await running.callTool('find', 'search_content', { query: 'hello' }))).to.include('a.txt');
    expect(await running.end()).to.deep.equal({ code: 0, signal: null });
  });

  it('says nothing of files that a stranger’s policy points at, and starts without it', async () => {
    writeFileSync(join(root, 'secret'), 'OUTSIDE_SECRET_91bd: 1\n');
    for (const policy of ['extends: [../secret]\n', `extends: [${root}/secret]\n`, 'extends: [./link]\n']) {
      put('permissions.yaml', policy);
      if (policy.includes('link')) symlinkSync('../secret', join(workspace, 'link'));
      const running = await start();
      await running.callTool('echo', 'echo', { message: 'x' });
      await running.end();
      expect(running.stderr).to.include('it is ignored').and.not.include('OUTSIDE_SECRET');
    }
  });

  it('refuses to start where a file that was trusted is none any more', async () => {
    const env = { HOME: root, XDG_STATE_HOME: join(root, 'state') };
    const file = join(workspace, 'permissions.yaml');
    const run = async (command: string) => {
      server = new SpawnedServer(MAIN, env, { args: [command], cwd: workspace });
      const { code } = await server.end();
      return { code, said: server.stderr };
    };
    put('permissions.yaml', WORKSPACE_POLICY);
    expect((await run('trust')).code).to.equal(0);
    // What the user accepted once is shown, and not replaced by something weaker in silence.
    put('permissions.yaml', 'tool: {}\n');
    const wrong = await run('serve');
    expect(wrong.code).to.equal(3);
    expect(wrong.said).to.include('Unknown key "tool"');
    rmSync(file);
    execFileSync('mkfifo', [file]);
    const pipe = await run('serve');
    expect(pipe.code).to.equal(3);
    expect(pipe.said).to.include('named pipe');
  });

  it('refuses to start with a named file that is none', async () => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    for (const option of ['--policy', '--config', '--ceiling']) {
      const args = ['serve', '--workspace', workspace, option, join(root, 'pipe')];
      server = new SpawnedServer(MAIN, { HOME: root }, { args, cwd: workspace });
      expect(await server.exit).to.deep.equal({ code: 3, signal: null });
      expect(server.stderr).to.include('it is a named pipe and not a regular file');
    }
  });
});

function childrenOf(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
