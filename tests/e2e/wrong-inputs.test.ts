import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { CliWorkspace } from '../support/cli-workspace.js';
import { commandInProcess } from '../support/command-in-process.js';
import { eventually } from '../support/eventually.js';
import { MAIN } from '../support/spawned-server.js';
import { WRONG_INPUTS, type WrongInput } from '../support/wrong-inputs.js';

/** A stack of ours, or of Node. */
const STACK = /^\s+at .*:\d+\)?$|node:internal|castellan\/castellan\.js|UnhandledPromise/m;

/** Root may read and write everything, unless it gives that up. */
const CAPS = '-dac_override,-dac_read_search';

async function wrongness({ args, env, prepare, code, says }: WrongInput): Promise<string | undefined> {
  const project = new CliWorkspace();
  try {
    prepare?.(project);
    const ended = await commandInProcess(args, { cwd: project.folder, env: { ...project.env, ...env } });
    const right = ended.code === code && says.test(ended.stderr) && !STACK.test(ended.stderr);
    // Doubtful rules come beside the answer; whatever failed has none.
    const answered = ended.stdout !== '' && !(args[1] === 'check' && code === 1);
    return right && !answered ? undefined : `castellan ${args.join(' ')}: ${JSON.stringify(ended)}`;
  } finally {
    await project.remove();
  }
}

describe('wrong inputs to the command line', () => {
  let project: CliWorkspace;

  beforeEach(() => {
    project = new CliWorkspace();
  });

  afterEach(() => project.remove());

  it(`${WRONG_INPUTS.length} lines: one message each, the right exit code, no stack`, async () => {
    expect(WRONG_INPUTS.length).to.be.at.least(60);
    const wrong: string[] = [];
    for (const input of WRONG_INPUTS) wrong.push(...[(await wrongness(input)) ?? []].flat());
    expect(wrong.join('\n')).to.equal('');
  });

  function environment(): NodeJS.ProcessEnv {
    const { CASTELLAN_WORKSPACE: _, ...inherited } = process.env;
    return { ...inherited, ...project.env };
  }

  /** A shell does what Node cannot: full disks, pipes that close, folders that go away, other users. */
  async function shell(line: string) {
    const env = { ...environment(), C: `${process.execPath} ${MAIN}` };
    const child = spawn('bash', ['-c', line], { cwd: project.folder, env });
    const [stdout, stderr] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    expect(stderr).not.to.match(STACK);
    return { stdout: stdout.trimEnd(), lines: stderr.trimEnd().split('\n') };
  }

  it('a disk that is full: one line, 1, for a command and for a server', async () => {
    const tools = await shell('$C tools > /dev/full; echo $?');
    expect(tools).to.deep.equal({
      stdout: '1',
      lines: [
        'The output cannot be written (ENOSPC: no space left on device, write). Make room, or write elsewhere.',
      ],
    });
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    const server = await shell(`echo '${ping}' | $C > /dev/full; echo \${PIPESTATUS[1]}`);
    expect(server).to.deep.equal(tools);
  });

  it('a pipe that closes early: not a word', async () => {
    expect(
      await shell('$C tools --json | head -c 10 | wc -c; $C tools --json 2>&1 >&- | head -1'),
    ).to.deep.include({
      lines: [''],
    });
  });

  it('a folder that went away, and arguments that never came', async () => {
    expect(await shell('mkdir gone && cd gone && rmdir ../gone && $C tools; echo $?')).to.deep.equal({
      stdout: '3',
      lines: ['The current directory no longer exists. Change to an existing one, or set --workspace.'],
    });
    const { stdout, lines } = await shell('$C call echo - < /dev/null; echo $?');
    expect(stdout).to.equal('2');
    expect(lines.join()).to.contain('The arguments must be a JSON object').and.contain('got nothing');
  });

  it('files that this user may not read: which, and why', async () => {
    chmodSync(project.write('secret.yaml', 'tools: {}\n'), 0o000);
    const user = process.getuid?.() === 0 ? `setpriv --bounding-set ${CAPS} --inh-caps ${CAPS}` : '';
    const state = 'XDG_STATE_HOME=/tmp/castellan-nowhere';
    const { stdout, lines } = await shell(`${state} ${user} $C policy check secret.yaml; echo $?`);
    expect(stdout).to.equal('3');
    expect(lines[0]).to.match(/secret\.yaml:1:1: .*(?:EACCES|permission)/i);
    chmodSync(project.write('closed/a.txt', 'a').replace('/a.txt', ''), 0o000);
    const listed = await shell(`${state} ${user} $C call list_directory '{"path":"closed"}'; echo $?`);
    chmodSync(project.path('closed'), 0o700);
    expect(listed.stdout).to.equal('1');
    expect(listed.lines.join()).to.contain('denies the server permission to do this to closed');
    const closedHome = 'mkdir home && chmod 500 home && HOME=$PWD/home XDG_STATE_HOME=';
    const home = await shell(`${closedHome} ${user} $C call echo; echo $?`);
    expect(home.stdout).to.equal('Echo: 0');
    expect(home.lines.join())
      .to.contain('This call is not recorded yet')
      .and.contain('"Calls are not recorded"')
      .and.contain('"A call could not be recorded"')
      .and.not.contain('Leftovers');
    expect(home.lines).to.have.length(3);
  });

  it('a folder that this user may not write: which file, and why', async () => {
    chmodSync(project.folder, 0o555);
    const user = process.getuid?.() === 0 ? `setpriv --bounding-set ${CAPS} --inh-caps ${CAPS}` : '';
    expect(await shell(`${user} $C init; echo $?`)).to.deep.equal({
      stdout: '3',
      lines: [
        `Nothing was written: ${project.path('permissions.yaml')} cannot be written (EACCES: permission denied). Correct this, then run \`castellan init\` again.`,
      ],
    });
    chmodSync(project.folder, 0o755);
  });

  it('Ctrl-C: ends the call, 130', async () => {
    project.write('p.yaml', 'extends: [builtin:workspace]\n');
    const args = [
      MAIN,
      'call',
      '--policy',
      'p.yaml',
      'execute_command',
      '{"command":"touch began; sleep 60"}',
    ];
    const child = spawn(process.execPath, args, {
      cwd: project.folder,
      env: environment(),
    });
    const [stderr, ended] = [text(child.stderr), once(child, 'close')];
    await eventually('the command began', () => existsSync(project.path('began')));
    child.kill('SIGINT');
    const [code] = await ended;
    expect(code, await stderr).to.equal(130);
    expect(await stderr).not.to.match(STACK);
  });
});
