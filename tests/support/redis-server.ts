import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A redis-server of our own on a free loopback port; what it holds is gone when it stops, but for pause(). */
export class RedisServer {
  #process: ChildProcess | undefined;
  readonly #folder = mkdtempSync(join(tmpdir(), 'castellan-redis-'));

  private constructor(
    readonly port: number,
    private readonly more: readonly string[],
    private readonly kind: 'server' | 'sentinel' = 'server',
  ) {}

  static async start(more: readonly string[] = []): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), more);
    await server.restart();
    return server;
  }

  /** One that watches over nobody. */
  static async startSentinel(): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), [], 'sentinel');
    await server.restart();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  async restart(): Promise<void> {
    const child = spawn('redis-server', this.#arguments(), { stdio: 'ignore' });
    this.#process = child;
    const failed = once(child, 'error').then(([error]) => {
      throw new Error(
        `redis-server cannot be started (${error.code}); install it: apt-get install redis-server`,
      );
    });
    await Promise.race([failed, this.#answers()]);
  }

  /** Ends it so that restart() goes on with what it holds. */
  async pause(): Promise<void> {
    const child = this.#process;
    if (child === undefined) return;
    const gone = once(child, 'exit');
    connect(this.port, '127.0.0.1')
      .on('error', () => undefined)
      .end('SHUTDOWN SAVE\r\n');
    await gone;
    this.#process = undefined;
  }

  /** As a crash would. */
  async stop(): Promise<void> {
    rmSync(join(this.#folder, 'paused.rdb'), { force: true });
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  #arguments(): readonly string[] {
    if (this.kind === 'sentinel') {
      const file = join(this.#folder, 'sentinel.conf');
      writeFileSync(file, `port ${this.port}\nbind 127.0.0.1\n`);
      return [file, '--sentinel'];
    }
    const kept = ['--dir', this.#folder, '--dbfilename', 'paused.rdb'];
    return ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', ...kept, ...this.more];
  }

  async #answers(): Promise<void> {
    for (let attempt = 0; attempt < 300; attempt += 1) {
      if (await ping(this.port)) return;
      await sleep(20);
    }
    throw new Error(`redis-server does not answer on port ${this.port}`);
  }
}

function ping(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    const done = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('data', (data) => done(data.toString().startsWith('+PONG')));
    socket.once('error', () => done(false));
  });
}

/** One that nobody listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
