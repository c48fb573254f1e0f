import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { it } from 'mocha';
import { CommandClient, type CommandReply } from './command-client.js';
import { ORDINARY_USER } from './ordinary-user.js';
import { ENVELOPES } from './other-answers.js';

/** Whom servers run as: the user of the tests, and somebody without privileges where the tests are root's. */
export const USERS: readonly (number | undefined)[] =
  ORDINARY_USER === undefined ? [undefined] : [undefined, ORDINARY_USER];

/** `it` for one of the users: in the ordinary run each test is one user's, in turns, and every user's in the long run. */
export function testsAs(user: number | undefined): (title: string, body: () => Promise<void>) => void {
  let count = 0;
  return (title, body) => {
    const isMine = USERS[count % USERS.length] === user;
    count += 1;
    if (isMine || process.env.CASTELLAN_LONG === '1') it(title, body);
  };
}

/** A workspace with secrets, and servers on it. */
export class TreeAttackGround {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-tree-attack-')));
  readonly workspace = join(this.root, 'workspace');
  readonly state = join(this.root, 'state');
  readonly outside = join(this.root, 'outside');
  readonly #clients: CommandClient[] = [];

  constructor(readonly user: number | undefined) {
    chmodSync(this.root, 0o755);
    for (const folder of [this.workspace, this.state, this.outside])
      this.#own(folder, () => mkdirSync(folder));
  }

  put(path: string, text: string): string {
    const whole = join(this.workspace, path);
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder))
      mkdirSync(join(this.workspace, folder), { recursive: true });
    writeFileSync(whole, text);
    if (this.user !== undefined) execFileSync('chown', ['-R', `${this.user}:${this.user}`, this.workspace]);
    return whole;
  }

  async start(policy: string, env: NodeJS.ProcessEnv = {}): Promise<CommandClient> {
    const file = join(this.root, 'permissions.yaml');
    writeFileSync(file, policy);
    const home = join(this.root, 'state');
    const client = await CommandClient.start(
      this,
      file,
      { ...ENVELOPES, HOME: home, XDG_CONFIG_HOME: join(home, 'config'), ...env },
      this.user,
    );
    this.#clients.push(client);
    return client;
  }

  /** Everything a command printed. */
  async sh(client: CommandClient, text: string): Promise<string> {
    const { value, error } = await client.run({ command: 'bash', stdin: text });
    return value === undefined ? `refused: ${error}` : `${value.stdout}${value.stderr}`;
  }

  async remove(): Promise<void> {
    for (const client of this.#clients) await client.stop();
    // Paths may be longer than Node takes.
    execFileSync('rm', ['-rf', this.root]);
  }

  #own(path: string, make: () => void): void {
    make();
    if (this.user !== undefined) chownSync(path, this.user, this.user);
  }
}

export function told({ message = '', error = '' }: CommandReply): string {
  return `${message}${error}`;
}
