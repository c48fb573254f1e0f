import { createConnection } from 'node:net';
import { join } from 'node:path';
import {
  ANSWER_OUTCOMES,
  type AnswerOutcome,
  type GivenAnswer,
  type ServerQuestions,
  type ShownQuestion,
} from '../../application/operation/operated-server.js';
import { isJsonObject } from '../../domain/json-value.js';
import { namesLeftIn } from '../state/names-left.js';
import { isAlive } from '../state/process-identity.js';
import { approvalFolder, socketOwner } from './approval-door.js';
import { type ApprovalRequest, type OperatorRequest, parseLine } from './approval-messages.js';

const MAX_REPLY = 8 * 1024 * 1024;
const PATIENCE_MS = 3_000;

/** A question with the server that asks it. */
export interface FoundQuestion extends ShownQuestion {
  readonly workspace: string;
  readonly socket: string;
}

/** The servers of this user that can be reached through their sockets. */
export class AskingServers {
  readonly #folder: string;

  constructor(stateFolder: string) {
    this.#folder = approvalFolder(stateFolder);
  }

  /** Sockets of servers that live. */
  sockets(): readonly string[] {
    return namesLeftIn(this.#folder).flatMap((name) => {
      const owner = socketOwner(name);
      return owner !== undefined && isAlive(owner) ? [join(this.#folder, name)] : [];
    });
  }

  /** Every open question, the oldest first. A server that does not answer has none. */
  async questions(): Promise<readonly FoundQuestion[]> {
    const found = await Promise.all(
      this.sockets().map(async (socket) => {
        const listed = serverQuestions(await request(socket, { op: 'list' }));
        return (listed?.questions ?? []).map((question) => ({
          ...question,
          workspace: listed?.server.workspace ?? '',
          socket,
        }));
      }),
    );
    return found.flat().sort((first, second) => first.openedAt - second.openedAt);
  }

  /** `gone` also where the server has ended. */
  async answer(socket: string, key: string, answer: GivenAnswer): Promise<AnswerOutcome> {
    const reply = await request(socket, { op: 'answer', key, ...answer });
    return ANSWER_OUTCOMES.find((known) => known === reply?.outcome) ?? 'gone';
  }
}

/** The reply of one server to whoever has the key; undefined: it gave none. */
export function operate(
  socket: string,
  message: OperatorRequest,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  return request(socket, message);
}

/** The reply of a server of ours, same version or not. */
export function serverQuestions(
  reply: Readonly<Record<string, unknown>> | undefined,
): ServerQuestions | undefined {
  if (reply === undefined || !isJsonObject(reply.server) || !Array.isArray(reply.questions)) return undefined;
  const { pid, workspace } = reply.server;
  if (typeof pid !== 'number' || typeof workspace !== 'string') return undefined;
  return { server: { pid, workspace }, questions: reply.questions.filter(isQuestion) };
}

function isQuestion(value: unknown): value is ShownQuestion {
  if (!isJsonObject(value)) return false;
  const { id, caller, mode, ways, tool, effect, openedAt, expiresAt } = value;
  return (
    [id, caller, mode, tool, effect].every((text) => typeof text === 'string') &&
    [openedAt, expiresAt].every((time) => typeof time === 'number') &&
    Array.isArray(ways) &&
    'arguments' in value
  );
}

/** One line there and one back; undefined: no answer. */
function request(
  socket: string,
  message: ApprovalRequest,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  return new Promise((resolve) => {
    let text = '';
    const connection = createConnection(socket);
    const end = (): void => {
      connection.destroy();
      resolve(parseLine(text));
    };
    connection.setTimeout(PATIENCE_MS, end);
    connection.on('error', end).on('end', end);
    connection.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (text.length > MAX_REPLY) end();
    });
    connection.write(`${JSON.stringify(message)}\n`);
  });
}
