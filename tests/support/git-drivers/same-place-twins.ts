import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandClient, type CommandReply, MANY_CALLS } from '../command-client.js';
import { FIXED_ENVIRONMENT, type Ran } from '../git-compare.js';
import { addressSettings } from './repository-script.js';
import { readView, USER_VIEW, type UserView } from './user-view.js';

const MAX_OUTPUT = 64 * 1024 * 1024;
const PATIENCE_MS = 120_000;

/**
 * One repository twice, both at the same path: the built server works in the one that lies there, plain git in the
 * other, which a mount puts in its place. So nothing that either says or stores has another name in it.
 */
export class SamePlaceTwins {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-twins-')));
  readonly workspace = join(this.root, 'in/ws');
  readonly state = join(this.root, 'state');
  readonly home = join(this.root, 'home');
  readonly policy = join(this.root, 'policy.yaml');
  readonly environment: Readonly<Record<string, string>> = {
    ...FIXED_ENVIRONMENT,
    ...settingsInEnvironment(addressSettings(this.workspace)),
  };
  #client: CommandClient | undefined;

  constructor() {
    for (const folder of ['home', 'state', 'in', 'by']) mkdirSync(join(this.root, folder));
    writeFileSync(
      this.policy,
      `extends: [builtin:workspace]\ntools:\n  execute_command:\n    ${MANY_CALLS}\n    env: { set: ${JSON.stringify(this.environment)} }\n`,
    );
  }

  /** Makes both repositories. */
  async make(script: string): Promise<void> {
    const options = { cwd: join(this.root, 'in') };
    for (const run of [this.outside(script, options), this.beside(script, options)]) {
      const { code, stderr } = await run;
      if (code !== 0) throw new Error(`The repository was not made: ${stderr}`);
    }
  }

  /** The server, started at the first call. */
  async client(): Promise<CommandClient> {
    this.#client ??= await CommandClient.start(this, this.policy, { HOME: this.home });
    return this.#client;
  }

  /** By the agent, through the server. */
  async inside(script: string): Promise<CommandReply> {
    return (await this.client()).run({ command: 'bash', stdin: script });
  }

  /** Plain bash at the other repository. */
  beside(script: string, { cwd = this.workspace } = {}): Promise<Ran> {
    const [by, at] = [join(this.root, 'by'), join(this.root, 'in')];
    const mount = ['--dev-bind', '/', '/', '--bind', by, at, '--die-with-parent', '--chdir', cwd];
    return this.#run('bwrap', [...mount, 'bash', '--noprofile', '--norc', '-c', script], '/');
  }

  /** Plain bash at the repository that the agent works in: the user's own. */
  outside(
    script: string,
    { cwd = this.workspace, env = {} }: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
  ): Promise<Ran> {
    return this.#run('bash', ['--noprofile', '--norc', '-c', script], cwd, env);
  }

  async views(): Promise<readonly [UserView, UserView]> {
    const [inside, beside] = await Promise.all([this.outside(USER_VIEW), this.beside(USER_VIEW)]);
    return [readView(inside.stdout), readView(beside.stdout)];
  }

  /** Another server goes on where this one stops. */
  async restart(): Promise<void> {
    await this.#client?.stop();
    this.#client = undefined;
  }

  async stop(): Promise<void> {
    await this.#client?.stop();
    rmSync(this.root, { recursive: true, force: true });
  }

  #run(file: string, args: readonly string[], cwd: string, more: NodeJS.ProcessEnv = {}): Promise<Ran> {
    const env = { PATH: process.env.PATH, HOME: this.home, LANG: 'C.UTF-8', ...this.environment, ...more };
    return new Promise((done) => {
      const options = { cwd, env, encoding: 'utf8', timeout: PATIENCE_MS, maxBuffer: MAX_OUTPUT } as const;
      const child = execFile(file, args, options, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
        done({ code, stdout, stderr });
      });
      child.stdin?.end();
    });
  }
}

/** As git reads settings from its environment. */
export function settingsInEnvironment(
  settings: readonly (readonly [string, string])[],
): Readonly<Record<string, string>> {
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(settings.length)],
    ...settings.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ]);
}
