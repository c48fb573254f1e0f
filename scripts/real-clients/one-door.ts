import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
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
import { CLIENT_FACTS } from '../../src/domain/client/client-facts.js';
import { judgedTools } from '../../src/presentation/hook/own-tools.js';
import { REAL_CLIENTS, type RealClient, type Step } from './client-sessions.js';
import { FILES, type HookedClient, LINK, type OwnCallCase, ownCalls, POLICY } from './own-calls.js';
import { runStep } from './run-step.js';
import { type Heard, type PlannedCall, ScriptedModel } from './scripted-model.js';

const STEP_SECONDS = 300;
/** What a client lists beside the tools that a hook is asked about. */
const ALSO_OWN = [
  'BashOutput',
  'KillShell',
  'LSP',
  'write_stdin',
  'exec_command',
  'list_background_processes',
];
const TASK: readonly (readonly [PlannedCall, RegExp])[] = [
  [{ tool: 'list_directory', args: { path: '.' } }, /hello\.txt/],
  [{ tool: 'read_file', args: { path: 'src/a.js' } }, /const a = 1/],
  [{ tool: 'search_content', args: { query: 'export' } }, /src\/b\.js/],
  [
    { tool: 'edit_file', args: { path: 'src/a.js', edits: [{ old_text: '1', new_text: '5' }] } },
    /const a = 5/,
  ],
  [
    { tool: 'write_file', args: { path: 'c.js', content: 'console.log("is", 40 + 2);\n' } },
    /Written to c\.js/,
  ],
  [{ tool: 'execute_command', args: { command: 'node c.js' } }, /is 42/],
  [{ tool: 'execute_command', args: { command: 'git add -A' } }, /^/],
  [
    { tool: 'execute_command', args: { command: 'git commit -qm done && git log --oneline | head -1' } },
    /done/,
  ],
  [{ tool: 'read_file', args: { path: '.env' } }, /PROTECTED/],
  [{ tool: 'read_file', args: { path: 'c.js' } }, /40 \+ 2/],
];

export interface DoorGround {
  readonly main: string;
  readonly node: string;
  /** Where a client is installed. */
  readonly folder: (client: RealClient) => string;
}

interface Session {
  readonly heard: Heard;
  readonly project: string;
  readonly castellan: (...args: readonly string[]) => string;
}

/** The same files and policy in a project of its own; `prepare` comes after the installation. */
async function hold<T>(
  client: RealClient,
  ground: DoorGround,
  install: readonly string[],
  plan: (project: string) => readonly PlannedCall[],
  judge: (session: Session) => T,
  prepare: (project: string, home: string) => void = () => undefined,
): Promise<T> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-door-')));
  const [project, home] = [join(root, 'project'), join(root, 'home')];
  for (const made of [project, home]) mkdirSync(made);
  const env = { PATH: process.env.PATH, HOME: home };
  const castellan = (...args: readonly string[]) => {
    const { stdout, stderr } = spawnSync(process.execPath, [ground.main, ...args], {
      cwd: project,
      env,
      encoding: 'utf8',
    });
    return stdout + stderr;
  };
  makeProject(project);
  castellan('trust');
  const model = new ScriptedModel(plan(project));
  try {
    castellan('install', client.installed ?? '', ...install, '--yes');
    const own = { project, home, client: ground.folder(client), server: [process.execPath, ground.main] };
    const session = { ...own, model: await model.listen() };
    const steps = client.session(session).map(unattended);
    prepare(project, home);
    for (const step of steps) {
      const printed = await runStep(step, { ...session, node: ground.node }, STEP_SECONDS);
      if (process.env.SHOW_ANSWERS) console.error(printed, model.heard);
    }
    return judge({ heard: model.heard, project, castellan });
  } finally {
    model.close();
    // A server that the client has left may still be writing its state.
    rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
  }
}

function makeProject(project: string): void {
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text);
  }
  writeFileSync(join(project, 'permissions.yaml'), POLICY);
  symlinkSync(LINK.to, join(project, LINK.name));
  const git = (...args: readonly string[]) => spawnSync('git', args, { cwd: project });
  git('init', '-q', '-b', 'main');
  git('config', 'user.email', 'a@example.com');
  git('config', 'user.name', 'A');
  git('add', '-A');
  git('commit', '-qm', 'begin');
}

/** Nobody is there to agree: the client's own rules allow everything, so that only hooks refuse. */
function unattended(step: Step): Step {
  const args = step.args.map((arg) => (arg === 'mcp__castellan__read_file' ? 'mcp__castellan' : arg));
  if (step.program === 'claude') return { ...step, args: [...args, 'Bash', 'Read', 'Write', 'Edit'] };
  return { ...step, args: step.program === 'codex' ? [...args, '--dangerously-bypass-hook-trust'] : args };
}

const named = (installed: HookedClient): RealClient => {
  const client = REAL_CLIENTS.find((one) => one.installed === installed);
  if (client === undefined) throw new Error(`There is no ${installed}.`);
  return client;
};

export const DOOR_CLIENTS: readonly HookedClient[] = ['claude', 'codex', 'gemini', 'opencode', 'copilot'];

/** None of the client's own tools in what it tells its model, and a task of ten steps. */
export async function holdExclusive(client: HookedClient, ground: DoorGround): Promise<string> {
  const plan = () => TASK.map(([call]) => call);
  return hold(named(client), ground, ['--exclusive'], plan, ({ heard }) => {
    const own = [...judgedTools(client), ...ALSO_OWN].filter((tool) => heard.tools.has(tool));
    const right = TASK.filter(([, expected], index) => expected.test(heard.answers[index] ?? '')).length;
    const isOk = own.length === 0 && right === TASK.length;
    const kept = own.length === 0 ? 'no file or shell tool of its own' : `still ${own.join(', ')}`;
    return `${isOk ? 'ok' : 'FAILED'}  ${client} --exclusive: ${kept} among ${heard.tools.size} tools, ${right} of ${TASK.length} steps`;
  });
}

/** Thirty calls of its own tools, each decided as ours is in a project like this one, and audited. */
export async function holdHooks(client: HookedClient, ground: DoorGround): Promise<string> {
  const plan = (project: string) => ownCalls(client, project).map(({ call }) => call);
  return hold(named(client), ground, ['--hooks'], plan, ({ heard, project, castellan }) => {
    const cases = ownCalls(client, project);
    const wrong = cases.flatMap((one, index) => {
      const answer = heard.answers[index];
      const became = outcomeOf(answer);
      return became === one.expected ? [] : [`${JSON.stringify(one.call.args)} ${became}`];
    });
    // What the client refuses by itself is not asked about.
    const asked = cases.length - heard.answers.filter((answer) => BY_ITSELF.test(answer)).length;
    const differing = cases.filter((one) => ownDecision(one, ground, project) !== one.expected);
    const records = castellan('audit', 'tail', '--json', '-n', '1000').split('\n');
    const audited = records.filter((line) => line.includes(`"session":"${client}:`)).length;
    const isOk = wrong.length === 0 && differing.length === 0 && audited >= asked;
    const leak = heard.answers.some(
      (answer, index) => cases[index]?.expected === 'refused' && answer.includes('made-up-secret'),
    );
    const told = [...wrong, ...differing.map(({ same }) => `ours differs: ${JSON.stringify(same)}`)].join(
      '; ',
    );
    return `${isOk && !leak ? 'ok' : 'FAILED'}  ${client} --hooks: ${cases.length - wrong.length} of ${cases.length} calls as expected, ${cases.length - differing.length} as our tools, ${audited} of ${asked} audited${leak ? ', A SECRET WAS TOLD' : ''} ${told}`;
  });
}

const BY_ITSELF = /Path not in workspace/;

function outcomeOf(answer: string | undefined): string {
  if (answer === undefined) return 'never made';
  return answer.includes('Castellan: ') || BY_ITSELF.test(answer) ? 'refused' : 'allowed';
}

/** What the tool of ours comes to, in a project of its own with the same files. */
function ownDecision({ same: [tool, args] }: OwnCallCase, ground: DoorGround, like: string): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-twin-')));
  const project = join(root, 'project');
  mkdirSync(project);
  makeProject(project);
  cpSync(join(like, 'src'), join(project, 'src'), { recursive: true, force: false });
  const env = { PATH: process.env.PATH, HOME: root };
  const run = (...words: readonly string[]) =>
    spawnSync(process.execPath, [ground.main, ...words], { cwd: project, env, encoding: 'utf8' });
  try {
    run('trust');
    const { stdout } = run('call', tool, JSON.stringify(args), '--json');
    return /PermissionDenied|DENIED|PROTECTED|NO_ALLOW/.test(stdout) ? 'refused' : 'allowed';
  } finally {
    // A server that the client has left may still be writing its state.
    rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
  }
}

/** Runs the real hook after `before`, which may change what the client gave it. */
const around = (before: string) => (main: string) =>
  `
const { spawnSync } = require('node:child_process');
const { readFileSync, readdirSync, writeFileSync } = require('node:fs');
let input = readFileSync(0, 'utf8');
${before}
const args = [${JSON.stringify(main)}, ...process.argv.slice(2)];
const { stdout, stderr, status } = spawnSync(process.execPath, args, { input });
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = status ?? 1;
`;

/** The servers that would have answered, as their sockets name them. */
const KILL_SERVERS = `
const folder = process.env.HOME + '/.local/state/castellan/hooks';
// The client may still be starting its server.
for (let tries = 0; tries < 40 && readdirSync(folder).length === 0; tries += 1)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
const servers = readdirSync(folder).map((name) => Number(/^[0-9a-f]+\\.(\\d+)-/.exec(name)[1]));
for (const pid of servers) process.kill(pid, 'SIGKILL');
writeFileSync(process.env.HOME + '/servers-gone', String(servers.length));
`;

interface Trouble {
  /** The program in place of the hook; absent: the policy is broken. */
  readonly hook?: (main: string) => string;
  /** Whether an honest call goes on; absent: as the table says. */
  readonly goesOn?: boolean;
  /** What it leaves in the home if it really took place. */
  readonly trace?: string;
}

/** What becomes of an honest call. */
const TROUBLES: Readonly<Record<string, Trouble>> = {
  killed: { hook: () => "process.kill(process.pid, 'SIGKILL');" },
  held: { hook: () => 'setInterval(() => undefined, 1000);' },
  'given 2 MB': {
    hook: around(`input = input.replace('{', '{"padding":"' + 'x'.repeat(2 << 20) + '",');`),
    goesOn: true,
  },
  'given garbage': { hook: around("input = '{{' + input.slice(0, 20);"), goesOn: false },
  'without its server': { hook: around(KILL_SERVERS), goesOn: true, trace: 'servers-gone' },
  'with a broken policy': { goesOn: false },
};

export async function holdTroubles(client: HookedClient, ground: DoorGround): Promise<string> {
  const came: string[] = [];
  let isOk = true;
  const failing = CLIENT_FACTS[client].hooks?.failing ?? '';
  for (const [name, trouble] of Object.entries(TROUBLES)) {
    const open = failing.startsWith('open') || (name === 'held' && failing.includes('open after'));
    const ran = await runTrouble(client, ground, trouble);
    isOk &&= ran === (trouble.goesOn ?? open);
    came.push(`${name}: ${ran === undefined ? 'NOT TRIED' : ran ? 'the call was made' : 'refused'}`);
  }
  return `${isOk ? 'ok' : 'FAILED'}  ${client}, hook ${came.join(', ')} (the table says: ${failing})`;
}

/** Whether the call was made; undefined: there was no such trouble. */
async function runTrouble(
  client: HookedClient,
  ground: DoorGround,
  trouble: Trouble,
): Promise<boolean | undefined> {
  let trace = '';
  const plan = (project: string) =>
    ownCalls(client, project)
      .slice(13, 14)
      .map(({ call }) => call);
  const prepare = (project: string, home: string) => {
    if (trouble.trace !== undefined) trace = join(home, trouble.trace);
    if (trouble.hook === undefined) {
      writeFileSync(join(project, 'permissions.yaml'), 'tools: [\n');
      spawnSync(process.execPath, [ground.main, 'trust'], { cwd: project, env: { HOME: home } });
      return;
    }
    const fake = join(home, 'fake.cjs');
    writeFileSync(fake, trouble.hook(ground.main));
    for (const file of hookFilesOf(client, project, home))
      writeFileSync(file, withHook(readFileSync(file, 'utf8'), ground.main, fake));
  };
  const judge = ({ heard }: Session) =>
    trace !== '' && (!existsSync(trace) || readFileSync(trace, 'utf8') === '0')
      ? undefined
      : (heard.answers[0] ?? '').includes('hello.txt');
  return hold(named(client), ground, ['--hooks'], plan, judge, prepare);
}

/** Gemini CLI has its servers in the same file, and they have to go on. */
function withHook(settings: string, main: string, fake: string): string {
  const inLine = `${main} hook`;
  return settings.includes(inLine)
    ? settings.replaceAll(inLine, `${fake} hook`)
    : settings.replaceAll(main, fake);
}

function hookFilesOf(client: HookedClient, project: string, home: string): readonly string[] {
  switch (client) {
    case 'claude':
      return [join(project, '.claude', 'settings.json')];
    case 'codex':
      return [join(home, '.codex', 'hooks.json')];
    case 'gemini':
      return [join(project, '.gemini', 'settings.json')];
    case 'opencode':
      return [join(project, '.opencode', 'plugin', 'castellan.js')];
    case 'copilot':
      return [join(home, '.copilot', 'hooks', 'castellan.json')];
  }
}
