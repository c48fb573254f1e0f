import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { descendantsOf } from '../../src/infrastructure/command/process/memory-watchdog.js';
import { CommandClient, type CommandReply, MANY_CALLS } from '../support/command-client.js';
import { eventually, happens } from '../support/eventually.js';
import { processesWith } from '../support/sandbox-jobs.js';

const LONG = process.env.CASTELLAN_LONG === '1';
const KILLS = LONG ? 200 : 2;
const STARTS = LONG ? 1_000 : 10;
/** After these all that is made once has been made. */
const FIRST_STARTS = LONG ? 10 : 4;

const POLICY = `
extends: [builtin:workspace]
tools:
  execute_command:
    ${MANY_CALLS}
`;

/** Serves what it built from a source file, and builds again when that changes. */
const DEV_SERVER = `
const { readFileSync, watchFile } = require('node:fs');
let built = '';
const build = () => { built = 'built ' + readFileSync('src.txt', 'utf8').trim(); console.log(built); };
build();
watchFile('src.txt', { interval: 50 }, build);
require('node:http').createServer((_, answer) => answer.end(built)).listen(3000, '127.0.0.1', () => console.log('listening'));
`;
const FETCH = `node -e "fetch('http://127.0.0.1:3000').then((r) => r.text()).then(console.log)"`;

interface Report {
  readonly process_id: string;
  readonly state: string;
  readonly exit_code?: number;
  readonly output: string;
  readonly cursor: number;
}

describe('Processes in the background', function () {
  this.timeout(LONG ? 3_600_000 : 120_000);
  let root: string;
  let ground: { workspace: string; state: string };
  let policy: string;
  let client: CommandClient;

  const startServer = (): Promise<CommandClient> => CommandClient.start(ground, policy);

  beforeEach(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-background-')));
    ground = { workspace: join(root, 'workspace'), state: join(root, 'state') };
    mkdirSync(ground.workspace);
    policy = join(root, 'policy.yaml');
    writeFileSync(policy, POLICY);
    writeFileSync(join(ground.workspace, 'dev.js'), DEV_SERVER);
    writeFileSync(join(ground.workspace, 'src.txt'), 'one');
    client = await startServer();
  });

  afterEach(async () => {
    await client.stop();
    rmSync(root, { recursive: true, force: true });
  });

  const answered = <T>(reply: CommandReply): T => {
    if (!reply.success) throw new Error(reply.error ?? JSON.stringify(reply));
    return (reply.value ?? reply) as unknown as T;
  };
  const begin = async (command: string, more: object = {}): Promise<string> => {
    const { process_id: id } = answered<{ process_id?: string }>(
      await client.run({ command, background: true, ...more }),
    );
    if (id === undefined) throw new Error('it does not run on');
    return id;
  };
  const read = async (id: string, more: object = {}): Promise<Report> =>
    answered(await client.call('process_output', { process_id: id, ...more }));
  /** Reads on until the text has come. */
  const readUntil = async (id: string, text: string, from = 0): Promise<number> => {
    let cursor = from;
    let seen = '';
    for (let pages = 0; pages < 100 && !seen.includes(text); pages += 1) {
      const page = await read(id, { cursor, wait: 5 });
      seen += page.output;
      cursor = page.cursor;
      if (page.state !== 'running' && page.output === '') break;
    }
    expect(seen).to.include(text);
    return cursor;
  };

  /** The longest chain, up to the moment at which the server may be killed. */
  const work = async (): Promise<string> => {
    const id = await begin('node dev.js');
    const cursor = await readUntil(id, 'listening');
    await client.call('write_file', { path: 'src.txt', content: `two ${id}` });
    await readUntil(id, `built two ${id}`, cursor);
    const answer = answered<{ stdout: string }>(await client.run(FETCH));
    expect(answer.stdout).to.equal(`built two ${id}\n`);
    return id;
  };

  it('start a dev server, write a file, see the rebuild, fetch it, stop it', async () => {
    const id = await work();
    const stopped = answered<Report>(await client.call('stop_process', { process_id: id }));
    expect(stopped).to.include({ process_id: id, state: 'stopped' });
    await eventually('nothing runs but the server', () => processesWith(root).every((pid) => isServer(pid)));
    const listed = answered<readonly Report[]>(await client.call('list_processes', {}));
    expect(JSON.stringify(listed)).to.include('"state":"stopped"');
    const again = await client.run(FETCH);
    expect(answered<{ exit_code: number }>(again).exit_code).not.to.equal(0);
  });

  it(`end with a server that is killed in the middle, ${KILLS} times`, async () => {
    const left: string[] = [];
    for (let round = 0; round < KILLS; round += 1) {
      // By turns after the chain, with commands that have just begun, and at some moment of the chain itself.
      const chain = work();
      if (round % 2 === 0) {
        await chain;
        postBusyCommands();
        await sleep((round % 20) * 5);
      } else await Promise.race([chain.catch(() => undefined), sleep((round * 37) % 500)]);
      const before = descendantsOf(client.server.pid)
        .map(startOf)
        .filter((start) => start !== 'ended');
      await client.server.signal('SIGKILL');
      await chain.catch(() => undefined);
      const rest = (): readonly (number | string)[] => [
        ...processesWith('sleep\0' + '71.5'),
        ...processesWith(root),
        ...before.filter((start) => start === startOf(Number(start.split(' ')[0]))),
      ];
      if (!(await happens(() => rest().length === 0, 5_000))) left.push(`${round}: ${rest().join(', ')}`);
      client = await startServer();
    }
    expect(left).to.deep.equal([]);
    // What the killed ones had as /tmp goes when the next one uses its own.
    answered(await client.run('true'));
    await eventually('one /tmp is left', () => tmpFolders().length === 1);
  });

  function postBusyCommands(): void {
    const busy = [
      'sleep 71.5',
      'setsid -f sleep 71.5; sleep 71.5',
      "bash -c 'sleep 71.5 & sleep 71.5 & wait'",
    ];
    for (const [index, command] of busy.entries()) {
      client.server.post({
        id: `busy-${index}`,
        method: 'tools/call',
        params: { name: 'execute_command', arguments: { command, background: index % 2 === 0 } },
      });
    }
  }

  it(`leave nothing behind, ${STARTS} times`, async () => {
    await begin('true');
    const server = client.server.pid;
    const descriptors = (): number => readdirSync(`/proc/${server}/fd`).length;
    let [before, processes] = [0, 0];
    for (let round = 0; round < STARTS; round += 1) {
      const id = await begin(round % 3 === 0 ? 'setsid -f sleep 72.5; sleep 72.5' : 'sleep 72.5');
      const stopped = answered<Report>(await client.call('stop_process', { process_id: id }));
      expect(stopped, String(round)).to.include({ state: 'stopped' });
      if (round !== FIRST_STARTS - 1) continue;
      before = descriptors();
      processes = descendantsOf(server).length;
    }
    expect(processesWith('sleep\0' + '72.5')).to.deep.equal([]);
    await eventually('as few descriptors as before', () => descriptors() <= before + 4);
    await eventually('as few processes as before', () => descendantsOf(server).length <= processes);
    expect(tmpFolders().length).to.equal(1);
    await client.server.end();
    await eventually('the folders of the session are gone', () => tmpFolders().length === 0);
    client = await startServer();
  });

  it('give pages that joined are the whole output, whatever the characters', async () => {
    const line = 'Zeile é 漢字 🙂';
    const command = `node -e "for (let i = 0; i < 20000; i += 1) console.log(i + ' ${line}')"`;
    const id = await begin(command, { save_output: 'out.log' });
    let [joined, cursor] = ['', 0];
    for (;;) {
      const page = await read(id, { cursor, wait: 5 });
      joined += page.output;
      cursor = page.cursor;
      if (page.state !== 'running' && page.output === '') break;
    }
    expect(joined).to.equal(readFileSync(join(ground.workspace, 'out.log'), 'utf8'));
    expect(Buffer.byteLength(joined)).to.equal(cursor).and.to.be.greaterThan(500_000);
    expect((await read(id, { tail: 2 })).output).to.match(/^19998 .*\n19999 .*\n$/);
  });

  it('take input where they were started for it, and not otherwise', async () => {
    const id = await begin(
      `node -e "process.stdin.on('data', (d) => console.log('got ' + String(d).trim())).on('end', () => console.log('over'))"`,
    );
    answered(await client.call('process_input', { process_id: id, text: 'hello\n' }));
    const cursor = await readUntil(id, 'got hello');
    answered(await client.call('process_input', { process_id: id, close: true }));
    await readUntil(id, 'over', cursor);
    await eventually('it has exited', async () => (await read(id)).state === 'exited');
    expect((await read(id)).exit_code).to.equal(0);
    expect((await client.call('process_input', { process_id: id, text: 'x' })).success).to.equal(false);
  });

  it('are waited for in one call, and nothing they printed is shown twice', async () => {
    const id = await begin('echo one; sleep 0.3; echo two; sleep 0.3; echo three; exit 5');
    expect(await read(id, { wait_for: 'exit', wait: 45 })).to.include({
      state: 'exited',
      exit_code: 5,
      output: 'one\ntwo\nthree\n',
    });
    expect(await read(id, { wait_for: 'exit', wait: 45 })).to.include({ state: 'exited', output: '' });
    expect(await read(id, { cursor: 4 })).to.include({ output: 'two\nthree\n' });
  });

  it('answer what is typed to them in the same call', async () => {
    const id = await begin('python3 -u -i -c "print(6 * 7)" 2>&1');
    let shown = (await read(id, { wait_for: 'idle', wait: 45 })).output;
    const type = async (text: string): Promise<Report> =>
      answered(await client.call('process_input', { process_id: id, text, wait_for: 'line', wait: 45 }));
    shown += (await type('print("a" * 3)\n')).output;
    shown += (await type('print("b" * 3)\n')).output;
    const last = answered<Report>(
      await client.call('process_input', { process_id: id, close: true, wait: 45, wait_for: 'exit' }),
    );
    expect(last).to.include({ state: 'exited', exit_code: 0 });
    shown += last.output;
    for (const text of ['42', 'aaa', 'bbb']) expect(shown.split(text), shown).to.have.length(2);
  });

  it('run on when "wait" is over, and are ended by "timeout"', async () => {
    let running = { process_id: '', stdout: '' };
    // On a busy machine it may take longer than a second to begin.
    for (let wait = 1; running.stdout === '' && wait < 20; wait *= 4)
      running = answered<typeof running>(await client.run({ command: 'echo first; sleep 73.5', wait }));
    expect(running.stdout).to.equal('first\n');
    expect(await read(running.process_id)).to.include({ state: 'running', output: '' });
    expect(await read(running.process_id, { cursor: 0 })).to.include({ state: 'running', output: 'first\n' });
    const ended = await client.run({ command: 'sleep 73.5', wait: 10, timeout: 1 });
    expect(ended.success).to.equal(false);
    expect(ended.error).to.include('Command timed out after 1s');
    const quick = answered<object>(await client.run({ command: 'echo done', wait: 10 }));
    expect(quick).to.include({ exit_code: 0, stdout: 'done\n' });
    expect(quick).not.to.have.property('process_id');
  });

  it('are unknown to other callers, and at most as many as the policy says', async () => {
    writeFileSync(policy, `${POLICY}    background: { max: 2, ttl: 10m }\n`);
    const other = await startServer();
    await client.stop();
    client = await startServer();
    try {
      const id = await begin('sleep 74.5');
      await begin('sleep 74.5');
      const third = await client.run({ command: 'sleep 74.5', background: true });
      expect(third.success).to.equal(false);
      expect(third.error).to.match(/2 processes .* stop_process/s);
      for (const tool of ['process_output', 'stop_process', 'process_input']) {
        const [foreign, invented] = await Promise.all([
          other.call(tool, { process_id: id }),
          other.call(tool, { process_id: id.slice(0, -1) }),
        ]);
        expect(foreign.success, tool).to.equal(false);
        expect(foreign.error?.replaceAll(id, '')).to.equal(invented.error?.replaceAll(id.slice(0, -1), ''));
      }
      expect(JSON.stringify(await other.call('list_processes', {}))).not.to.include(id);
      expect((await read(id)).state).to.equal('running');
    } finally {
      await other.stop();
    }
  });

  it('are not there where the policy has no background', async () => {
    writeFileSync(policy, `${POLICY}    background: false\n`);
    await client.stop();
    client = await startServer();
    const refused = await client.run({ command: 'true', background: true });
    expect(refused).to.include({ success: false });
    expect(refused.error).to.include('background');
    const tools = JSON.stringify(await client.server.request(900, 'tools/list'));
    expect(tools).to.include('"execute_command"').and.not.to.include('"process_output"');
    expect((await client.call('list_processes', {})).success).to.equal(false);
    // It waits for the end, as before.
    const whole = answered<object>(await client.run({ command: 'sleep 1.2; echo end', wait: 1 }));
    expect(whole).to.include({ exit_code: 0, stdout: 'end\n' });
  });

  it('keep /tmp for the session and not longer', async () => {
    answered(await client.run('echo kept > /tmp/note'));
    expect(answered<{ stdout: string }>(await client.run('cat /tmp/note')).stdout).to.equal('kept\n');
    await client.server.end();
    client = await startServer();
    expect(answered<{ exit_code: number }>(await client.run('cat /tmp/note')).exit_code).to.equal(1);
  });

  it('tell of a protected file that appears while they run', async () => {
    const script = "setTimeout(() => { fs.mkdirSync('.vs' + 'code'); console.log('made'); }, 300)";
    const id = await begin(`node -e "${script}; setTimeout(() => 0, 75500)"`);
    const replies: string[] = [];
    const look = async (): Promise<string> => {
      const reply = JSON.stringify(await client.call('process_output', { process_id: id }));
      replies.push(reply);
      return reply;
    };
    await eventually('it has made the folder', async () => (await look()).includes('made'));
    await eventually('it is told', () =>
      look().then(() => replies.some((reply) => reply.includes('.vscode'))),
    );
    await look();
    expect(replies.filter((reply) => reply.includes('.vscode'))).to.have.length(1);
  });

  function tmpFolders(): readonly string[] {
    const folder = join(ground.state, 'castellan', 'tmp');
    if (!existsSync(folder)) return [];
    return readdirSync(folder).flatMap((name) => readdirSync(join(folder, name)));
  }

  /** Its number and when it began: numbers are used again. */
  function startOf(pid: number): string {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return state === 'Z' ? 'ended' : `${pid} ${fields[18]}`;
    } catch {
      return 'ended';
    }
  }

  function isServer(pid: number): boolean {
    return pid === client.server.pid;
  }
});
