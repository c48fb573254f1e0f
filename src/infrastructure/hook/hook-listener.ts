import type { Socket } from 'node:net';
import { isJsonObject } from '../../domain/json-value.js';
import { PrivateListener } from '../state/private-listener.js';
import { ownIdentity } from '../state/process-identity.js';
import { ownerOf, socketName } from './hook-door.js';

const MAX_QUESTION = 64 * 1024 * 1024;

/** Answers as one line of JSON; undefined: another server has to. */
export type AnswerQuestion = (client: string, input: string) => Promise<object | undefined>;

/** Answers the hooks of this user's clients through a socket that nobody else can open. */
export class HookListener {
  readonly #listener: PrivateListener;

  constructor(
    folder: string,
    private readonly identity: string,
    private readonly answer: AnswerQuestion,
  ) {
    const name = socketName(identity, ownIdentity());
    this.#listener = new PrivateListener({ folder, name, ownerOf, serve: (socket) => this.#serve(socket) });
  }

  get path(): string {
    return this.#listener.path;
  }

  /** Resolves when hooks can ask. Rejects where the folder cannot be used; hooks then answer without a server. */
  listen(): Promise<void> {
    return this.#listener.listen();
  }

  close(): void {
    this.#listener.close();
  }

  #serve(socket: Socket): void {
    const parts: Buffer[] = [];
    let length = 0;
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
