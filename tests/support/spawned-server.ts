import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export const PROJECT = resolve(import.meta.dirname, '..', '..');
export const MAIN = join(PROJECT, 'dist', 'main.js');
/** A server of the built library with tools that are slow, endless, switched off or roomy. */
export const EMBEDDER = join(import.meta.dirname, 'embedder-server.mjs');

/** Nothing is found here, so nothing is said about it. */
const EMPTY = mkdtempSync(join(tmpdir(), 'castellan-empty-'));
process.on('exit', () => rmSync(EMPTY, { recursive: true, force: true }));

export type WireId = string | number | null;

export interface WireMessage {
  readonly jsonrpc?: unknown;
  readonly id?: WireId;
  readonly method?: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A server in a process of its own, spoken to line by line. Whoever starts one kills it in afterEach. */
export class SpawnedServer {
  /** Everything that came out of stdout, and what of it was not a JSON object on a line. */
  readonly messages: WireMessage[] = [];
  readonly garbage: string[] = [];
  readonly exit: Promise<Exit>;
  stderr = '';
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Set<() => void>();
  #partial = '';
  #exited = false;

  constructor(
    script = MAIN,
    env: NodeJS.ProcessEnv = {},
    {
      args = [],
      cwd = EMPTY,
      uid,
    }: { readonly args?: readonly string[]; readonly cwd?: string; readonly uid?: number } = {},
  ) {
    const { CASTELLAN_WORKSPACE: _, ...inherited } = process.env;
    this.#child = spawn(process.execPath, [script, ...args], {
      env: { ...inherited, ...env },
      cwd,
      ...(uid !== undefined && { uid, gid: uid }),
    });
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => this.#take(text));
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    // The server may go before all is written; what it did about that is what the tests look at.
    this.#child.stdin.on('error', () => this.#wake());
    this.exit = once(this.#child, 'close').then(([code, signal]) => {
      this.#exited = true;
      this.#wake();
      return { code, signal };
    });
  }

  /** Does not care whether the pipe has room: what the server does not take piles up here. */
  post(message: Readonly<Record<string, unknown>>): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** Resolves when the pipe has room again. */
  async write(data: string | Buffer): Promise<void> {
    if (!this.#child.stdin.write(data)) await Promise.race([once(this.#child.stdin, 'drain'), this.exit]);
  }

  send(message: Readonly<Record<string, unknown>>): Promise<void> {
    return this.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  async request(id: string | number, method: string, params?: object): Promise<WireMessage> {
    await this.send({ id, method, ...(params && { params }) });
    return this.answer(id);
  }

  async initialize(protocolVersion = '2025-11-25', capabilities = {}): Promise<WireMessage> {
    const clientInfo = { name: 'e2e', version: '1' };
    const answer = await this.request('init', 'initialize', { protocolVersion, capabilities, clientInfo });
    await this.send({ method: 'notifications/initialized' });
    return answer;
  }

  callTool(id: string | number, name: unknown, args?: unknown): Promise<WireMessage> {
    return this.request(id, 'tools/call', { name, ...(args !== undefined && { arguments: args }) });
  }

  async answer(id: WireId): Promise<WireMessage> {
    return this.until(() => this.messages.find((message) => message.id === id && !message.method));
  }

  /** Looks again at every message; fails when the server goes first. */
  async until<T>(look: () => T | undefined): Promise<T> {
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      if (this.#exited) throw new Error(`The server has exited without it. Its stderr: ${this.stderr}`);
      await new Promise<void>((wake) => this.#waiting.add(wake));
    }
  }

  end(): Promise<Exit> {
    this.#child.stdin.end();
    return this.exit;
  }

  signal(name: NodeJS.Signals): Promise<Exit> {
    this.#child.kill(name);
    return this.exit;
  }

  stopReading(): void {
    this.#child.stdout.pause();
  }

  readOn(): void {
    this.#child.stdout.resume();
  }

  /** The reader goes away; from now on the server writes into a broken pipe. */
  hangUp(): void {
    this.#child.stdout.destroy();
  }

  /** What was written and the server has not yet taken. */
  get untaken(): number {
    return this.#child.stdin.writableLength;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Resident memory in bytes. */
  get rss(): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
  }

  async kill(): Promise<void> {
    if (!this.#exited) await this.signal('SIGKILL');
  }

  #take(text: string): void {
    const lines = (this.#partial + text).split('\n');
    this.#partial = lines.pop() ?? '';
    for (const line of lines) this.#read(line);
    this.#wake();
  }

  #read(line: string): void {
    try {
      const message: unknown = JSON.parse(line);
      if (typeof message === 'object' && message !== null && 'jsonrpc' in message)
        this.messages.push(message);
      else this.garbage.push(line);
    } catch {
      this.garbage.push(line);
    }
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}
