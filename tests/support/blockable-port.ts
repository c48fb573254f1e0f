import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A way to another port that can be cut, as a network is. */
export class BlockablePort {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** What clients have said so far. */
  readonly #said = new Map<Socket, { text: string; readonly far: Socket }>();
  #blocked = false;

  private constructor(target: number) {
    this.#server = createServer((near) => {
      if (this.#blocked) return void near.destroy();
      const far = connect(target, '127.0.0.1');
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(one);
        one.on('error', () => other.destroy());
        one.on('close', () => {
          this.#sockets.delete(one);
          other.destroy();
        });
        one.pipe(other);
      }
      const said = { text: '', far };
      this.#said.set(near, said);
      near.on('data', (data) => (said.text += String(data)));
      near.on('close', () => this.#said.delete(near));
    });
  }

  static async open(target: number): Promise<BlockablePort> {
    const port = new BlockablePort(target);
    port.#server.listen(0, '127.0.0.1');
    await once(port.#server, 'listening');
    return port;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return `redis://127.0.0.1:${address.port}`;
  }

  block(): void {
    this.#blocked = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** From here on nothing passes on the connections whose client has said that; they stay open. */
  mute(word: string): void {
    for (const [near, { text, far }] of this.#said)
      if (text.includes(word)) for (const socket of [near, far]) socket.unpipe().pause();
  }

  unblock(): void {
    this.#blocked = false;
  }

  async close(): Promise<void> {
    this.block();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
