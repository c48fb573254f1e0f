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
const PATIENCE_MS = 5_000;

/** What people are asked by this server. */
export interface AskingServer {
  questions(): ServerQuestions;
  answer(answer: GivenAnswer): Exclude<AnswerOutcome, 'wrong-key'>;
}

/** Shows the questions of this server to programs of this user, and takes answers from those that have the key. */
export class ApprovalListener {
  readonly #listener: PrivateListener;

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

  listen(): Promise<void> {
    return this.#listener.listen();
  }

  close(): void {
    this.#listener.close();
  }

  #serve(socket: Socket): void {
    let text = '';
    const take = (part: string): void => {
      text += part;
      const end = text.indexOf('\n');
      if (end < 0 && text.length <= MAX_REQUEST) return;
      socket.off('data', take);
      const request = end < 0 ? undefined : parseRequest(text.slice(0, end));
      if (request === undefined) socket.destroy();
      else this.#reply(socket, request);
    };
    socket.setTimeout(PATIENCE_MS, () => socket.destroy());
    socket.setEncoding('utf8').on('data', take);
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
    }
  }
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
