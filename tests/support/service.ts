import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { eventually } from './eventually.js';
import { HttpClient } from './http-client.js';
import { ALL_SETS, ENVELOPES } from './other-answers.js';
import { RedisServer } from './redis-server.js';
import { RoundRobin } from './round-robin.js';

const COMMAND = resolve(import.meta.dirname, '../../dist/main.js');
const SERVICE_TOKEN = 'a-token-for-the-instances-of-a-service';
const SECRET = 'a-secret-that-only-the-instances-of-this-service-have';

/** One built server. */
export interface Instance {
  readonly process: ChildProcess;
  readonly url: string;
  readonly admin: string;
  printed(): string;
}

export interface ServiceOptions {
  readonly instances?: number;
  readonly policy?: string;
  /** Instead of Redis' own address. */
  readonly redisUrl?: string;
  /** When a session that nobody uses ends. */
  readonly sessionIdle?: string;
  /** For every instance. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Built servers on one folder and one Redis, behind a proxy: what a company runs. */
export class Service {
  readonly folder = mkdtempSync(join(tmpdir(), 'castellan-service-'));
  readonly workspace = join(this.folder, 'workspace');
  readonly instances: Instance[] = [];

  private constructor(
    readonly redis: RedisServer,
    readonly proxy: RoundRobin,
    private readonly options: ServiceOptions,
  ) {
    mkdirSync(this.workspace);
    writeFileSync(join(this.folder, 'permissions.yaml'), options.policy ?? 'extends: [builtin:workspace]\n');
  }

  static async start(options: ServiceOptions = {}): Promise<Service> {
    const redis = await RedisServer.start();
    const service = new Service(redis, await RoundRobin.open([]), options);
    const count = options.instances ?? 3;
    try {
      for (let n = 0; n < count; n += 1) await service.add();
    } catch (error) {
      await service.stop();
      throw error;
    }
    return service;
  }

  client(): HttpClient {
    return new HttpClient(this.proxy.url, SERVICE_TOKEN);
  }

  /** At one instance, past the proxy. */
  clientOf(instance: Instance): HttpClient {
    return new HttpClient(instance.url, SERVICE_TOKEN);
  }

  async add(changes: Readonly<Record<string, string>> = {}): Promise<Instance> {
    const config = join(this.folder, `castellan-${this.instances.length}-${Date.now()}.yaml`);
    const { sessionIdle = '30m', environment = {} } = this.options;
    writeFileSync(config, `http: { port: 0, admin: "127.0.0.1:0", session_idle: ${sessionIdle} }\n`);
    const files = ['--policy', join(this.folder, 'permissions.yaml'), '--config', config];
    const args = [COMMAND, 'serve', '--http', '--port', '0', '--workspace', this.workspace, ...files];
    const child = spawn(process.execPath, args, {
      env: {
        PATH: process.env.PATH,
        HOME: this.folder,
        CASTELLAN_TOKEN: SERVICE_TOKEN,
        CASTELLAN_REDIS_URL: this.options.redisUrl ?? this.redis.url,
        CASTELLAN_REDIS_SECRET: SECRET,
        ...ENVELOPES,
        ...ALL_SETS,
        ...environment,
        ...changes,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    for (const output of [child.stdout, child.stderr])
      output?.on('data', (part) => (printed += String(part)));
    const isUp = () => /serves MCP at (\S+)/.test(printed) || child.exitCode !== null;
    await eventually('an instance listens', isUp, 60_000);
    const url = /serves MCP at (\S+)/.exec(printed)?.[1];
    if (url === undefined) throw new Error(`an instance did not start:\n${printed}`);
    const admin = /(http:\S+)\/healthz/.exec(printed)?.[1] ?? '';
    const instance = { process: child, url, admin, printed: () => printed };
    this.instances.push(instance);
    this.proxy.use(this.instances.map((each) => each.url));
    return instance;
  }

  /** As a machine that fails. */
  async kill(instance: Instance): Promise<void> {
    const gone = once(instance.process, 'exit');
    instance.process.kill('SIGKILL');
    await gone;
    this.instances.splice(this.instances.indexOf(instance), 1);
    this.proxy.use(this.instances.map((each) => each.url));
  }

  async stop(): Promise<void> {
    await this.proxy.close();
    for (const instance of [...this.instances]) await this.kill(instance);
    await this.redis.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
