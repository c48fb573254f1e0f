import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { CliWorkspace } from './cli-workspace.js';
import { CommandClient, type CommandReply } from './command-client.js';

export interface Ran {
  readonly code: number;
  readonly output: string;
}

/** The same project twice: in one commands run inside the sandbox, in the other as a person runs them. */
export class TwinProjects {
  readonly #inside = new CliWorkspace();
  readonly #outside = new CliWorkspace();
  #client: CommandClient | undefined;

  get folder(): string {
    return this.#inside.folder;
  }

  get outside(): string {
    return this.#outside.folder;
  }

  write(name: string, content: string): void {
    for (const twin of [this.#inside, this.#outside]) twin.write(name, content);
  }

  async start(policy: string, env: NodeJS.ProcessEnv = {}): Promise<void> {
    const { folder: workspace, state } = this.#inside;
    const home = this.#inside.env.HOME ?? '';
    mkdirSync(home, { recursive: true });
    this.#client = await CommandClient.start({ workspace, state }, policy, { HOME: home, ...env });
  }

  async inside(command: string): Promise<CommandReply> {
    if (this.#client === undefined) throw new Error('not started');
    return this.#client.run(command);
  }

  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<CommandReply> {
    if (this.#client === undefined) throw new Error('not started');
    return this.#client.call(tool, args);
  }

  /** What the command does outside. */
  plain(command: string): Promise<Ran> {
    const env = { PATH: process.env.PATH, HOME: this.#outside.env.HOME, LANG: 'C.UTF-8', CI: 'true' };
    mkdirSync(env.HOME ?? '', { recursive: true });
    return new Promise((resolve) => {
      execFile(
        '/bin/bash',
        ['-c', command],
        { cwd: this.outside, env, timeout: 600_000 },
        (error, out, err) =>
          resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: `${out}${err}` }),
      );
    });
  }

  /** Every path with what it holds; times and numbers that each run makes anew are left out by `same`. */
  trees(same: (path: string, text: string) => string | undefined): readonly [string[], string[]] {
    return [listing(this.folder, this.folder, same), listing(this.outside, this.outside, same)];
  }

  /** Ends the server; the next start finds what it left. */
  async end(): Promise<void> {
    await this.#client?.stop();
  }

  async stop(): Promise<void> {
    await this.#client?.stop();
    await this.#inside.remove();
    await this.#outside.remove();
  }
}

function listing(
  root: string,
  folder: string,
  same: (path: string, text: string) => string | undefined,
): string[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      const shown = path.slice(root.length + 1);
      const stats = lstatSync(path);
      if (stats.isSymbolicLink()) return [`${shown} -> ${readlinkSync(path).replace(root, '.')}`];
      if (stats.isDirectory()) return [`${shown}/`, ...listing(root, path, same)];
      const text = same(shown, readFileSync(path, 'latin1').replaceAll(root, '.'));
      return text === undefined ? [] : [`${shown} ${createHash('sha256').update(text).digest('hex')}`];
    });
}
