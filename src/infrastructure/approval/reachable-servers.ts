import { basename } from 'node:path';
import type {
  AnswerOutcome,
  GivenAnswer,
  OperatedServers,
  ServerName,
  ServerPolicy,
  ServerState,
  TriedCall,
} from '../../application/operation/operated-server.js';
import type { Stoppable } from '../../application/operation/watch-server.js';
import { isJsonObject } from '../../domain/json-value.js';
import type { OperatorRequest } from './approval-messages.js';
import { type AskingServers, operate, serverQuestions } from './asking-servers.js';

type Reply = Readonly<Record<string, unknown>>;

/** The servers of this user, for whoever has unlocked the key. */
export class ReachableServers implements OperatedServers {
  constructor(
    private readonly servers: AskingServers,
    private readonly key: string,
  ) {}

  async states(): Promise<ReadonlyMap<ServerName, ServerState>> {
    const { key } = this;
    const found = await Promise.all(
      this.servers.sockets().map(async (socket) => {
        const state = serverState(await operate(socket, { op: 'state', key }));
        return state === undefined ? [] : [[basename(socket), state] as const];
      }),
    );
    return new Map(found.flat().sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  async answer(server: ServerName, answer: Omit<GivenAnswer, 'way'>): Promise<AnswerOutcome> {
    const socket = this.#socket(server);
    if (socket === undefined) return 'gone';
    return this.servers.answer(socket, this.key, { ...answer, way: 'console' });
  }

  async stop(server: ServerName, kind: Stoppable, id: string): Promise<boolean> {
    const { key } = this;
    return (await this.#ask(server, { op: 'stop', kind, id, key }))?.stopped === true;
  }

  async policy(server: ServerName): Promise<ServerPolicy | undefined> {
    const { key } = this;
    return serverPolicy(await this.#ask(server, { op: 'policy', key }));
  }

  async tryCall(server: ServerName, tool: string, args: Reply): Promise<TriedCall | undefined> {
    const { key } = this;
    return triedCall(await this.#ask(server, { op: 'try', tool, arguments: args, key }));
  }

  async #ask(server: ServerName, message: OperatorRequest): Promise<Reply | undefined> {
    const socket = this.#socket(server);
    return socket === undefined ? undefined : operate(socket, message);
  }

  /** Only the sockets that are there: a name comes from a page. */
  #socket(server: ServerName): string | undefined {
    return this.servers.sockets().find((socket) => basename(socket) === server);
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';

function hasTexts(...names: readonly string[]) {
  return (value: unknown): boolean => isJsonObject(value) && names.every((name) => isText(value[name]));
}

function every<T>(value: unknown, fits: (item: unknown) => boolean): value is readonly T[] {
  return Array.isArray(value) && value.every(fits);
}

function serverState(reply: Reply | undefined): ServerState | undefined {
  const questions = serverQuestions(reply);
  const { sessions, calls, processes } = reply ?? {};
  const isWhole =
    every<ServerState['sessions'][number]>(sessions, hasTexts('id', 'caller', 'transport', 'client')) &&
    every<ServerState['calls'][number]>(calls, hasTexts('id', 'session', 'tool')) &&
    every<ServerState['processes'][number]>(
      processes,
      hasTexts('id', 'session', 'command', 'state', 'output'),
    );
  return questions === undefined || !isWhole ? undefined : { ...questions, sessions, calls, processes };
}

function serverPolicy(reply: Reply | undefined): ServerPolicy | undefined {
  const { origin, hash, problems, warnings, notice, roles } = reply ?? {};
  const isWhole =
    every<string>(origin, isText) &&
    every<string>(problems, isText) &&
    every<string>(warnings, isText) &&
    every<ServerPolicy['roles'][number]>(
      roles,
      (role) => isJsonObject(role) && isText(role.role) && every(role.tools, isText),
    );
  if (!isWhole || !isText(hash)) return undefined;
  return { origin, hash, problems, warnings, roles, ...(isText(notice) && { notice }) };
}

function triedCall(reply: Reply | undefined): TriedCall | undefined {
  const { effect, reason, rule, why, message, steps } = reply ?? {};
  const known = (['allow', 'consent', 'deny'] as const).find((name) => name === effect);
  const isWhole = every<TriedCall['steps'][number]>(steps, hasTexts('check', 'outcome', 'detail'));
  if (known === undefined || !isText(message) || !isWhole) return undefined;
  return {
    effect: known,
    message,
    steps,
    ...(isText(reason) && { reason }),
    ...(isText(rule) && { rule }),
    ...(isText(why) && { why }),
  };
}
