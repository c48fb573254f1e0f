import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { eventually } from './eventually.js';
import { freePort } from './redis-server.js';

const FOLDER = resolve('node_modules/.cache/verdaccio');
const PROGRAM = join(FOLDER, 'node_modules/verdaccio/bin/verdaccio');
/** Not by its tag, which not every registry passes on. */
const MANIFEST = { private: true, dependencies: { verdaccio: '^6' }, overrides: { 'node-fetch': '2.6.7' } };

/** A registry of somebody else's on loopback, which takes packages from npm's once and keeps them. */
export class Verdaccio {
  #process: ChildProcess | undefined;

  private constructor(private readonly port: number) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}/`;
  }

  static async start(): Promise<Verdaccio> {
    mkdirSync(FOLDER, { recursive: true });
    const npm = (...args: string[]) => execFileSync('npm', args, { cwd: FOLDER, encoding: 'utf8' });
    if (!existsSync(PROGRAM)) {
      writeFileSync(join(FOLDER, 'package.json'), JSON.stringify(MANIFEST));
      npm('install', '--no-audit', '--no-fund');
    }
    const configuration = {
      storage: join(FOLDER, 'storage'),
      uplinks: { npm: { url: npm('config', 'get', 'registry').trim(), timeout: '60s', cache: true } },
      packages: { '**': { access: '$all', publish: '$all', unpublish: '$all', proxy: 'npm' } },
      auth: { htpasswd: { file: join(FOLDER, 'htpasswd') } },
      max_body_size: '50mb',
    };
    const file = join(FOLDER, 'config.json');
    writeFileSync(file, JSON.stringify(configuration));
    const registry = new Verdaccio(await freePort());
    const args = [PROGRAM, '--config', file, '--listen', `127.0.0.1:${registry.port}`];
    registry.#process = spawn(process.execPath, args, { stdio: 'ignore', cwd: FOLDER });
    await eventually('verdaccio answers', () => answers(`${registry.url}-/ping`));
    return registry;
  }

  stop(): void {
    this.#process?.kill('SIGKILL');
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}
