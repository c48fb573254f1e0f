import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What stands in the files that nobody should be given. */
export const MARKS = { outside: 'mark-of-outside', secret: 'mark-of-secret', key: 'mark-of-key' } as const;

/** A project with a secret and links that leave it, a neighbour, and a home with a key. The same for each server. */
export class ComparisonGround {
  readonly #root = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-comparison-')));
  readonly project = join(this.#root, 'project');
  readonly outside = join(this.#root, 'outside');
  readonly home = join(this.#root, 'home');
  readonly #listener: Server;
  #connections = 0;

  constructor() {
    for (const folder of [this.project, this.outside, join(this.home, '.ssh')])
      mkdirSync(folder, { recursive: true });
    writeFileSync(join(this.project, 'README.md'), '# Project\n');
    writeFileSync(join(this.project, '.env'), `API_TOKEN=${MARKS.secret}\n`);
    writeFileSync(join(this.outside, 'notes.txt'), `${MARKS.outside}\n`);
    writeFileSync(join(this.home, '.ssh', 'id_ed25519'), `${MARKS.key}\n`);
    symlinkSync(this.outside, join(this.project, 'link'));
    this.#listener = createServer((socket) => {
      this.#connections += 1;
      socket.destroy();
    });
  }

  get env(): NodeJS.ProcessEnv {
    return {
      HOME: this.home,
      XDG_STATE_HOME: join(this.#root, 'state'),
      XDG_CONFIG_HOME: join(this.#root, 'config'),
    };
  }

  /** Whether anybody has connected to it is asked by connections. */
  async listen(): Promise<number> {
    await new Promise<void>((ready) => this.#listener.listen(0, '127.0.0.1', ready));
    const address = this.#listener.address();
    if (address === null || typeof address === 'string') throw new Error('The listener has no port.');
    return address.port;
  }

  get connections(): number {
    return this.#connections;
  }

  remove(): void {
    this.#listener.close();
    rmSync(this.#root, { recursive: true, force: true });
  }
}
