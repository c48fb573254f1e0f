import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { PrivateListener } from '../state/private-listener.js';
import { ownIdentity } from '../state/process-identity.js';
import { approvalFolder, socketOwner } from './approval-door.js';
import {
  type AnswerOutcome,
  type ApprovalRequest,
  type GivenAnswer,
  parseRequest,
  type ServerQuestions,
} from './approval-messages.js';
import type { PinFile } from './pin-file.js';

const MAX_REQUEST = 64 * 1024;
/** Connections that follow, and at most so many lists a second for each. */
const MAX_FOLLOWERS = 16;
const LISTS_APART_MS = 250;

/** What people are asked by this server. */
export interface AskingServer {
  questions(): ServerQuestions;
  answer(answer: GivenAnswer): Exclude<AnswerOutcome, 'wrong-key'>;
  onChange(listener: () => void): () => void;
}

/** Shows the questions of this server to programs of this user, and takes answers from those that have the key. */
export class ApprovalListener {
  readonly #listener: PrivateListener;
  readonly #followers = new Set<Socket>();

  constructor(
    stateFolder: string,
    private readonly asking: AskingServer,
    private readonly pin: Pick<PinFile, 'opens'>,
  ) {
    this.#listener = new PrivateListener({
      folder: approvalFolder(stateFolder),
      // A process may have several servers.
      name: `${ownIdentity()}.${randomBytes(4).toString('hex')}.sock`,
      ownerOf: socketOwner,
      serve: (socket) => this.#serve(socket),
    });
  }

  get followed(): boolean {
    return this.#followers.size > 0;
  }

  listen(): Promise<void> {
    return this.#listener.listen();
  }

  close(): void {
    this.#listener.close();
  }

  #serve(socket: Socket): void {
    let text = '';
    const take = (part: Buffer): void => {
      text += part.toString('utf8');
      const end = text.indexOf('\n');
      if (end < 0 && text.length <= MAX_REQUEST) return;
      socket.off('data', take);
      const request = end < 0 ? undefined : parseRequest(text.slice(0, end));
      if (request === undefined) socket.destroy();
      else this.#reply(socket, request);
    };
    socket.on('data', take);
  }

  #reply(socket: Socket, request: ApprovalRequest): void {
    switch (request.op) {
      case 'list':
        return void socket.end(line(this.asking.questions()));
      case 'answer': {
        const { op: _, key, ...answer } = request;
        const outcome = this.pin.opens(key) ? this.asking.answer(answer) : 'wrong-key';
        return void socket.end(line({ outcome }));
      }
      case 'follow':
        if (!this.pin.opens(request.key) || this.#followers.size >= MAX_FOLLOWERS)
          return void socket.destroy();
        return this.#follow(socket);
    }
  }

  #follow(socket: Socket): void {
    let due: NodeJS.Timeout | undefined;
    const send = (): void => {
      due = undefined;
      socket.write(line(this.asking.questions()));
    };
    const stop = this.asking.onChange(() => {
      due ??= setTimeout(send, LISTS_APART_MS).unref();
    });
    this.#followers.add(socket);
    const end = (): void => {
      clearTimeout(due);
      stop();
      this.#followers.delete(socket);
      socket.destroy();
    };
    socket.on('close', end).on('end', end);
    // Whatever else it says is not read for.
    socket.resume();
    send();
  }
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
