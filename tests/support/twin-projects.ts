import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { CliWorkspace } from './cli-workspace.js';
import type { CommandReply } from './command-client.js';
import { PersonClient } from './person-client.js';

/** What counts of a file; undefined: not even its name. A folder's name ends with a slash; undefined leaves it out. */
export type Same = (path: string, text: string) => string | undefined;

const asItIs: Same = (_, text) => text;

export interface Ran {
  readonly code: number;
  readonly output: string;
}

/** The same project twice: in one commands run inside the sandbox, in the other as a person runs them. */
export class TwinProjects {
  readonly #inside = new CliWorkspace();
  readonly #outside = new CliWorkspace();
  #client: PersonClient | undefined;

  get folder(): string {
    return this.#inside.folder;
  }

  /** Home and state of the server. */
  get environment(): NodeJS.ProcessEnv {
    return this.#inside.env;
  }

  get outside(): string {
    return this.#outside.folder;
  }

  write(name: string, content: string): void {
    for (const twin of [this.#inside, this.#outside]) twin.write(name, content);
  }

  /** Whoever is asked says yes, until `person.answer` is another one. */
  async start(policy: string | undefined, env: NodeJS.ProcessEnv = {}): Promise<void> {
    mkdirSync(this.#inside.env.HOME ?? '', { recursive: true });
    this.#client = new PersonClient();
    await this.#client.connect(this.folder, policy, { ...this.#inside.env, ...env });
  }

  /** Starts with what `castellan init` writes, and the answers that ship. */
  async startAsShipped(): Promise<void> {
    const { code, stderr } = await this.#inside.run(['init']);
    if (code !== 0) throw new Error(`castellan init: ${stderr}`);
    await this.start(undefined, { CASTELLAN_ANSWERS: undefined });
  }

  /** Both the same folder, in a text. */
  told(text: string): string {
    return [this.#inside, this.#outside].reduce(
      (told, { folder }) => told.replaceAll(folder, '@').replaceAll(dirname(folder), '@@'),
      text,
    );
  }

  get person(): PersonClient {
    if (this.#client === undefined) throw new Error('not started');
    return this.#client;
  }

  inside(command: string): Promise<CommandReply> {
    return this.call('execute_command', { command });
  }

  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<CommandReply> {
    return this.person.call(tool, args);
  }

  /** What the command does outside. */
  plain(command: string, variables: NodeJS.ProcessEnv = {}): Promise<Ran> {
    const env = {
      PATH: process.env.PATH,
      HOME: this.#outside.env.HOME,
      LANG: 'C.UTF-8',
      CI: 'true',
      ...variables,
    };
    mkdirSync(env.HOME ?? '', { recursive: true });
    return new Promise((resolve) => {
      const child = execFile(
        '/bin/bash',
        ['--noprofile', '--norc', '-c', command],
        { cwd: this.outside, env, timeout: 600_000, maxBuffer: 64 * 1024 * 1024 },
        (error, out, err) =>
          resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: `${out}${err}` }),
      );
      child.stdin?.end();
    });
  }

  /** The same command in both; fails where they do not end alike. */
  async both(command: string, same: Same = asItIs): Promise<CommandReply> {
    const [inside, outside] = await Promise.all([this.#toItsEnd(command), this.plain(command)]);
    expect(inside.value?.exit_code, `${command}: ${JSON.stringify(inside)}`).to.equal(outside.code);
    expect(outside.code, outside.output).to.equal(0);
    const [first, second] = this.trees(same);
    expect(first, command).to.deep.equal(second);
    return inside;
  }

  /** A command that takes long goes on in the background: it is asked for until it ends, as an agent would. */
  async #toItsEnd(command: string): Promise<CommandReply> {
    const reply = await this.inside(command);
    const process_id = /\bprocess_id":"([^"]+)"/.exec(JSON.stringify(reply))?.[1];
    if (process_id === undefined || reply.value?.exit_code !== -1) return reply;
    for (;;) {
      const { value } = await this.call('process_output', { process_id, wait_for: 'exit' });
      if (JSON.stringify(value).includes('"state":"running"')) continue;
      return { ...reply, value: { ...reply.value, ...value } };
    }
  }

  /** Every path with what it holds; times and numbers that each run makes anew are left out by `same`. */
  trees(same: Same): readonly [string[], string[]] {
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

function listing(root: string, folder: string, same: Same): string[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      const shown = path.slice(root.length + 1);
      // Named by the time of a commit: the two are not made in the same second.
      if (/^\.git\/objects\/[0-9a-f]{2}$/.test(shown)) return [];
      const stats = lstatSync(path);
      if (stats.isSymbolicLink()) return [`${shown} -> ${readlinkSync(path).replace(root, '.')}`];
      if (stats.isDirectory())
        return same(`${shown}/`, '') === undefined ? [] : [`${shown}/`, ...listing(root, path, same)];
      if (!stats.isFile()) return [`${shown} ${stats.isFIFO() ? 'pipe' : 'special'}`];
      const text = same(shown, readFileSync(path, 'latin1').replaceAll(root, '.'));
      const kind = stats.mode & 0o100 ? 'executable' : 'file';
      return text === undefined
        ? []
        : [`${shown} ${kind} ${createHash('sha256').update(text).digest('hex')}`];
    });
}
