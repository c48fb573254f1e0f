import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Waiting {
  remaining: number;
  readonly resolve: (answer: Buffer) => void;
  readonly reject: (reason: Error) => void;
}

const NEWLINE = 10;
const ANSWER_TIMEOUT_MS = 60_000;
const STDERR_KEPT = 2000;

/** Counts answer lines and parses nothing while a server is being timed, so that the client stays out of the way. */
export class StdioClient {
  readonly pid: number;
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly ended: Promise<void>;
  private chunks: Buffer[] = [];
  private waiting: Waiting | undefined;
  private lastErrors = '';
  private nextId = 1;

  constructor(server: ServerCommand) {
    this.child = spawn(server.command, server.args, {
      cwd: server.cwd,
      env: { ...process.env, ...server.env },
      stdio: 'pipe',
    });
    this.pid = this.child.pid ?? 0;
    this.ended = new Promise((resolve) => this.child.once('close', () => resolve()));
    this.child.stdout.on('data', (chunk: Buffer) => this.receive(chunk));
    this.child.stderr.on('data', (chunk: Buffer) => {
      this.lastErrors = (this.lastErrors + chunk.toString()).slice(-STDERR_KEPT);
    });
    this.child.once('error', (error) => this.fail(error.message));
    this.child.once('close', (code, signal) => this.fail(`it ended with ${signal ?? `exit code ${code}`}`));
    // A server that dies while it is written to is reported by 'close', with its exit code.
    this.child.stdin.on('error', () => this.child.stdin.destroy());
  }

  /** Sends bytes that hold whole lines and resolves with the raw answer once as many lines as expected came back. */
  exchange(bytes: Buffer | string, expectedLines: number): Promise<Buffer> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) {
      return Promise.reject(new Error('the server has already ended'));
    }
    return new Promise<Buffer>((resolve, reject) => {
      const timer = setTimeout(() => this.fail(`no answer in ${ANSWER_TIMEOUT_MS} ms`), ANSWER_TIMEOUT_MS);
      this.waiting = {
        remaining: expectedLines,
        resolve: (answer) => {
          clearTimeout(timer);
          resolve(answer);
        },
        reject: (reason) => {
          clearTimeout(timer);
          reject(reason);
        },
      };
      this.child.stdin.write(bytes);
    });
  }

  async request(method: string, params: unknown): Promise<unknown> {
    const id = this.nextId++;
    let sent = `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
    for (;;) {
      const came = (await this.exchange(sent, 1)).toString().split('\n');
      const answer = came.find((line) => line !== '' && !isNotice(line));
      if (answer !== undefined) return resultOf(answer, id);
      sent = '';
    }
  }

  notify(method: string): void {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method })}\n`);
  }

  async initialize(): Promise<void> {
    await this.request('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'castellan-bench', version: '1.0.0' },
    });
    this.notify('notifications/initialized');
  }

  async close(): Promise<void> {
    this.child.stdin.end();
    const stubborn = setTimeout(() => this.child.kill('SIGKILL'), 300);
    await this.ended;
    clearTimeout(stubborn);
  }

  private receive(chunk: Buffer): void {
    const waiting = this.waiting;
    if (waiting === undefined) return;
    this.chunks.push(chunk);
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1))
      waiting.remaining -= 1;
    if (waiting.remaining > 0) return;
    const answer = this.chunks.length === 1 ? chunk : Buffer.concat(this.chunks);
    const end = answer.lastIndexOf(NEWLINE) + 1;
    this.chunks = end < answer.length ? [answer.subarray(end)] : [];
    this.waiting = undefined;
    waiting.resolve(answer.subarray(0, end));
  }

  private fail(what: string): void {
    const waiting = this.waiting;
    this.waiting = undefined;
    this.chunks = [];
    const errors = this.lastErrors.trim();
    waiting?.reject(new Error(errors === '' ? what : `${what}; its last words: ${errors}`));
  }
}

/** What a server says unasked; some log before their first answer. */
function isNotice(line: string): boolean {
  const message: unknown = JSON.parse(line);
  return typeof message === 'object' && message !== null && 'method' in message;
}

export function resultOf(line: string, id: number): unknown {
  const answer: unknown = JSON.parse(line);
  if (typeof answer !== 'object' || answer === null || !('id' in answer) || answer.id !== id) {
    throw new Error(`expected the answer to request ${id}, got ${line.slice(0, 200)}`);
  }
  if (!('result' in answer)) throw new Error(`request ${id} was refused: ${line.slice(0, 400)}`);
  return answer.result;
}
