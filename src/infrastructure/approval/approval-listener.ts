import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type {
  AnswerOutcome,
  GivenAnswer,
  ServerPolicy,
  ServerQuestions,
  ServerState,
  TriedCall,
} from '../../application/operation/operated-server.js';
import type { Stoppable } from '../../application/operation/watch-server.js';
import { asError } from '../../domain/thrown.js';
import { PrivateListener } from '../state/private-listener.js';
import { ownIdentity } from '../state/process-identity.js';
import { approvalFolder, socketOwner } from './approval-door.js';
import { type ApprovalRequest, type OperatorRequest, parseRequest } from './approval-messages.js';
import type { PinFile } from './pin-file.js';

const MAX_REQUEST = 64 * 1024;
const PATIENCE_MS = 5_000;

/** What a server tells people, and what they may tell it. */
export interface AskingServer {
  questions(): ServerQuestions;
  answer(answer: GivenAnswer): Exclude<AnswerOutcome, 'wrong-key'>;
  state(): ServerState;
  policy(): ServerPolicy;
  stop(kind: Stoppable, id: string): boolean;
  tryCall(tool: string, args: Readonly<Record<string, unknown>>): Promise<TriedCall>;
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
      default:
        if (!this.pin.opens(request.key)) return void socket.end(line({ outcome: 'wrong-key' }));
        this.#operate(request).then(
          (value) => socket.end(line(value)),
          (error: unknown) => socket.destroy(asError(error)),
        );
    }
  }

  async #operate(request: OperatorRequest): Promise<object> {
    switch (request.op) {
      case 'state':
        return this.asking.state();
      case 'policy':
        return this.asking.policy();
      case 'stop':
        return { stopped: this.asking.stop(request.kind, request.id) };
      case 'try':
        return this.asking.tryCall(request.tool, request.arguments);
    }
  }
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
