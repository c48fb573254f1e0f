import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './run-command.js';
import { MAIN, SpawnedServer, type WireMessage } from './spawned-server.js';

/**
 * A session on a small disk, which is filled up before and freed after each of its steps: `full-disk-process STATE
 * PROJECT STEPS KILL_EVERY`. Prints what came of it as JSON. STATE is the mount point of the disk.
 */
const [, , state = '', project = '', steps = '10', killEvery = '5'] = process.argv;
const environment = { XDG_STATE_HOME: state, HOME: join(project, '..', 'home') };
const BLOCK = Buffer.alloc(4096);

class Ballast {
  readonly #file = openSync(join(state, 'ballast'), 'w');

  /** Until the disk takes nothing more. */
  fill(): void {
    for (;;) {
      try {
        writeSync(this.#file, BLOCK);
      } catch {
        return;
      }
    }
  }

  free(): void {
    ftruncateSync(this.#file, 0);
    closeSync(openSync(join(state, 'freed'), 'w'));
  }
}

const castellan = (...args: readonly string[]) =>
  runCommand(process.execPath, [MAIN, ...args], { cwd: project, env: environment });

function serve(): SpawnedServer {
  return new SpawnedServer(MAIN, environment, {
    args: ['--policy', join(project, 'policy.yaml')],
    cwd: project,
  });
}

const textOf = (message: WireMessage) => JSON.stringify(message.result ?? message.error);
let made = 0;
const came: Record<string, number> = {};
const count = (what: string) => {
  came[what] = (came[what] ?? 0) + 1;
};
const REFUSED = 'wants this call recorded before it runs';
const NOTE = 'This call is not recorded yet.';

/** Each call on its own, so that none is answered from a later state of the disk. */
async function step(server: SpawnedServer, ballast: Ballast, number: number): Promise<void> {
  const call = async (name: string, args: object) => {
    made += 1;
    return textOf(await server.callTool(`${number}-${made}`, name, args));
  };
  ballast.fill();
  let required = await call('list_directory', { path: '.' });
  // The last block of the log may have room for a few more.
  for (let tries = 0; tries < 20 && !required.includes(REFUSED); tries += 1)
    required = await call('list_directory', { path: '.' });
  count(required.includes(REFUSED) ? 'refused without a record' : `WRONG: ${required}`);
  const noted = await call('echo', { message: 'full' });
  count(noted.includes('Echo: full') && noted.includes(NOTE) ? 'said to be unrecorded' : `WRONG: ${noted}`);
  if (number % Number(killEvery) === 0) return;
  ballast.free();
  const again = await call('list_directory', { path: '.' });
  count(again.includes(NOTE) || again.includes(REFUSED) ? `WRONG: ${again}` : 'recorded again');
  const plain = await call('echo', { message: 'free' });
  count(plain.includes(NOTE) ? `WRONG: ${plain}` : 'recorded without a word');
}

async function verified(): Promise<string> {
  const { code, stdout, stderr } = await castellan('audit', 'verify', '--json');
  if (stdout === '') return `verify printed nothing: ${code} ${stderr}`;
  return `${JSON.parse(stdout).verdict} (${code})`;
}

const ballast = new Ballast();
let server = serve();
let log = '';
await server.initialize();
for (let number = 1; number <= Number(steps); number += 1) {
  await step(server, ballast, number);
  if (number % Number(killEvery) !== 0) continue;
  // While the disk is full, so that what waits in memory is lost.
  count(`verified while full: ${await verified()}`);
  await server.signal('SIGKILL');
  log += server.stderr;
  ballast.free();
  count(`verified after a kill: ${await verified()}`);
  server = serve();
  await server.initialize();
}
const args = ['serve', '--http', '--port', '0', '--config', join(project, 'settings.yaml')];
const service = new SpawnedServer(
  MAIN,
  { ...environment, CASTELLAN_TOKEN: 'a-token-of-this-test' },
  { args, cwd: project },
);
const admin = await service.until(() => /at (http\S+)\/healthz/.exec(service.garbage.join('\n'))?.[1]);
const ready = async () => {
  const answer = await fetch(`${admin}/readyz`);
  return `readyz: ${answer.status}${/ is full/.exec(await answer.text())?.[0] ?? ''}`;
};
ballast.fill();
count(await ready());
ballast.free();
count(await ready());
await service.signal('SIGTERM');
ballast.fill();
const doctor = await castellan('doctor');
count(doctor.code === 4 && doctor.stdout.includes('is full') ? 'doctor sees it' : `WRONG: ${doctor.stdout}`);
ballast.free();
await server.end();
count(`verified at the end: ${await verified()}`);
const { stdout } = await castellan('audit', 'tail', '--json', '-n', '10000');
const outcomes = stdout.split('\n').filter((line) => line.includes('"kind":"outcome"')).length;
const shown = await castellan('audit', 'verify');
const lost = [...shown.stdout.matchAll(/: (\d+) records are not here/g)].reduce(
  (sum, [, n]) => sum + Number(n),
  0,
);
console.log(
  JSON.stringify({
    came,
    made,
    outcomes,
    lost,
    logged: log.includes('Calls are not recorded') && log.includes('Calls are recorded again'),
  }),
);
