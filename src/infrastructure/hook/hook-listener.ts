import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { isJsonObject } from '../../domain/json-value.js';
import { namesLeftIn } from '../state/names-left.js';
import { isAlive, ownIdentity } from '../state/process-identity.js';
import { ownerOf, socketName } from './hook-door.js';

const MAX_QUESTION = 64 * 1024 * 1024;

/** Answers as one line of JSON; undefined: another server has to. */
export type AnswerQuestion = (client: string, input: string) => Promise<object | undefined>;

/** Answers the hooks of this user's clients through a socket that nobody else can open. */
export class HookListener {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  readonly path: string;

  constructor(
    private readonly folder: string,
    private readonly identity: string,
    private readonly answer: AnswerQuestion,
  ) {
    this.path = join(folder, socketName(identity, ownIdentity()));
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#serve(socket));
  }

  /** Resolves when hooks can ask. Rejects where the folder cannot be used; hooks then answer without a server. */
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
    for (const socket of this.#open) socket.destroy();
    rmSync(this.path, { force: true });
  }

  /** Takes away what killed servers left. */
  #sweep(): void {
    for (const name of namesLeftIn(this.folder)) {
      const owner = ownerOf(name);
      if (owner !== undefined && !isAlive(owner)) rmSync(join(this.folder, name), { force: true });
    }
  }

  #serve(socket: Socket): void {
    this.#open.add(socket);
    const parts: Buffer[] = [];
    let length = 0;
    socket.on('close', () => this.#open.delete(socket));
    // A hook that is gone has its answer already, or wants none.
    socket.on('error', () => socket.destroy());
    socket.on('data', (part: Buffer) => {
      length += part.length;
      if (length > MAX_QUESTION) socket.destroy();
      else parts.push(part);
    });
    socket.on('end', () => {
      this.#reply(Buffer.concat(parts).toString('utf8')).then(
        (answer) => (answer === undefined ? socket.destroy() : socket.end(`${JSON.stringify(answer)}\n`)),
        // The hook sees no answer, and judges without a server.
        () => socket.destroy(),
      );
    });
  }

  async #reply(text: string): Promise<object | undefined> {
    const question: unknown = JSON.parse(text);
    if (!isJsonObject(question) || question.identity !== this.identity) return undefined;
    const { client, input } = question;
    return typeof client === 'string' && typeof input === 'string' ? this.answer(client, input) : undefined;
  }
}
