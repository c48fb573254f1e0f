/**
 * `castellan hook CLIENT`, the fast way: asks a server that runs already. A program of its own, with nothing in it but
 * this, since a client waits for it before each call of its tools. Where no server answers, the command itself does.
 */
import { read, realpathSync, writeSync } from 'node:fs';
import { createConnection } from 'node:net';
import { packageVersion } from './composition/server/package-version.js';
import { type HookQuestion, hookFolder, hookIdentity, socketsOf } from './infrastructure/hook/hook-door.js';
import { giveHookInput } from './infrastructure/hook/hook-input.js';
import { hookWorkspace } from './infrastructure/hook/hook-workspace.js';

const MAX_INPUT = 64 * 1024 * 1024;
const CHUNK = 64 * 1024;
/** A server that is busy for longer than this is not waited for. */
const PATIENCE_MS = 2000;
/** Clients give a hook ten seconds; some make the call if it says nothing in time. */
const DEADLINE_MS = 5000;

interface Answer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** `cold` answers without a server, from the input that it is given. */
export async function run(client: string, cold: () => void): Promise<void> {
  const deadline = setTimeout(() => refuse('Castellan had no time to judge this call.'), DEADLINE_MS);
  const input = await readInput();
  const answer = input === undefined ? undefined : await askServers(client, input);
  clearTimeout(deadline);
  if (answer === undefined) {
    giveHookInput(input ?? '');
    cold();
    return;
  }
  if (answer.stdout !== '') writeSync(1, answer.stdout);
  if (answer.stderr !== '') writeSync(2, answer.stderr);
  process.exitCode = answer.code;
}

function refuse(message: string): never {
  writeSync(2, `${message}\n`);
  process.exit(2);
}

async function readInput(): Promise<string | undefined> {
  const parts: Buffer[] = [];
  for (let length = 0; length <= MAX_INPUT; ) {
    const part = await readSome();
    if (part.length === 0) return Buffer.concat(parts).toString('utf8');
    parts.push(part);
    length += part.length;
  }
  return undefined;
}

function readSome(): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(CHUNK);
  return new Promise((resolve) => {
    const again = () =>
      read(0, buffer, 0, CHUNK, null, (error, count) => {
        // Some clients give a pipe that does not wait.
        if (error?.code === 'EAGAIN') setTimeout(again, 1);
        else resolve(error === null ? buffer.subarray(0, count) : buffer.subarray(0, 0));
      });
    again();
  });
}

async function askServers(client: string, input: string): Promise<Answer | undefined> {
  const state = stateFolder();
  if (state === undefined) return undefined;
  let workspace: string;
  try {
    workspace = realpathSync(hookWorkspace(client, process.env) ?? process.cwd());
  } catch {
    // What is wrong with it is said by the command itself.
    return undefined;
  }
  const identity = hookIdentity(workspace, process.env, packageVersion);
  const asked: HookQuestion = { identity, client, input };
  const question = JSON.stringify(asked);
  for (const path of socketsOf(hookFolder(state), identity)) {
    const answer = await ask(path, question);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

function ask(path: string, question: string): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    let text = '';
    const socket = createConnection(path, () => socket.end(question));
    const patience = setTimeout(() => socket.destroy(), PATIENCE_MS);
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(patience);
      resolve(parseAnswer(text));
    });
  });
}

/** Undefined: half an answer is none. */
function parseAnswer(text: string): Answer | undefined {
  try {
    const { code, stdout, stderr } = JSON.parse(text);
    const isWhole = typeof code === 'number' && typeof stdout === 'string' && typeof stderr === 'string';
    return isWhole ? { code, stdout, stderr } : undefined;
  } catch {
    return undefined;
  }
}

/** As the command finds it; where there is none, it says so. */
function stateFolder(): string | undefined {
  const { XDG_STATE_HOME: base, HOME: home } = process.env;
  if (base?.startsWith('/')) return `${base}/castellan`;
  return home?.startsWith('/') ? `${home}/.local/state/castellan` : undefined;
}
