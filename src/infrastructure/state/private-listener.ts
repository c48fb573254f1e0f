import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { namesLeftIn } from './names-left.js';
import { isAlive } from './process-identity.js';

export interface PrivateSocket {
  readonly folder: string;
  /** Names the process that listens, so that others can tell whether it lives. */
  readonly name: string;
  /** The owner in the name of a socket; undefined: the name is of something else. */
  ownerOf(name: string): string | undefined;
  serve(socket: Socket): void;
}

/** Listens on a socket in the state folder that only processes of this user can open. */
export class PrivateListener {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  readonly path: string;

  constructor(private readonly socket: PrivateSocket) {
    this.path = join(socket.folder, socket.name);
    this.#server = createServer({ allowHalfOpen: true }, (client) => {
      this.#open.add(client);
      client.on('close', () => this.#open.delete(client));
      // A client that is gone has its answer already, or wants none.
      client.on('error', () => client.destroy());
      socket.serve(client);
    });
  }

  /** Resolves when others can ask. Rejects where the folder cannot be used. */
  async listen(): Promise<void> {
    this.#sweep();
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(this.path, resolve);
    });
    this.#server.unref();
    chmodSync(this.path, 0o600);
  }

  close(): void {
    this.#server.close();
    for (const client of this.#open) client.destroy();
    rmSync(this.path, { force: true });
  }

  /** Takes away what killed servers left. */
  #sweep(): void {
    const { folder, ownerOf } = this.socket;
    for (const name of namesLeftIn(folder)) {
      const owner = ownerOf(name);
      if (owner !== undefined && !isAlive(owner)) rmSync(join(folder, name), { force: true });
    }
  }
}
