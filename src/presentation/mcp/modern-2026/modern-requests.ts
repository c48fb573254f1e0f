import {
  inputRequired,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { Cancellation } from '../../../application/call/cancellation.js';
import type { FormField } from '../../../application/call/tool-context.js';
import { isJsonObject } from '../../../domain/json-value.js';
import type { Session } from '../../../domain/session/session.js';
import type { ProtocolSurface } from '../surface/protocol-surface.js';
import type { WireAnswer } from '../surface/result-mapping.js';
import { within } from '../surface/within.js';
import { InputQuestions } from './input-questions.js';
import { ModernCallChannel } from './modern-call-channel.js';
import { RequestStates } from './request-states.js';
import type { AskingRequest, StateBinding } from './state-binding.js';

type Params = Readonly<Record<string, unknown>>;

/** One try of a request that may ask. */
interface Attempt {
  readonly questions: InputQuestions;
  readonly channel: ModernCallChannel;
  readonly cancellation: Cancellation;
}

/** 2025's code for a resource that is not there; 2026-07-28 has none of its own for it. */
const RESOURCE_NOT_FOUND_2025 = -32002;
const DRAIN_MS = 5000;
const STOP_MS = 2000;

/** Answers the requests of 2026-07-28 from the surface. */
export class ModernRequests {
  readonly #states: RequestStates;
  /** Calls under way, until they are recorded. */
  readonly #calls = new Map<Promise<void>, Cancellation>();

  constructor(
    private readonly surface: ProtocolSurface,
    private readonly binding: StateBinding,
  ) {
    this.#states = new RequestStates(binding);
  }

  /** Calls under way end in their own time, or are stopped. */
  async drain(): Promise<void> {
    await within(Promise.allSettled(this.#calls.keys()), DRAIN_MS);
    for (const cancellation of this.#calls.values()) cancellation.cancel('closing');
    await within(Promise.allSettled(this.#calls.keys()), STOP_MS);
  }

  async answer(method: string, session: Session, params: Params): Promise<Result> {
    const answer = await this.surface.answer(method, session.id, params);
    if (answer !== undefined) return resultOf(answer);
    throw new ProtocolError(ProtocolErrorCode.MethodNotFound, `Method not found: ${method.slice(0, 100)}`);
  }

  async call(session: Session, params: Params, context: ServerContext): Promise<Result> {
    const request = asked(session, 'tools/call', params);
    const attempt = await this.#attempt(request, context);
    const { channel, cancellation } = attempt;
    const answer = await new Promise<WireAnswer>((resolve) => {
      const reply = async (found: WireAnswer) => resolve(found);
      const call = this.surface
        .callTool(session.id, params, channel, cancellation, reply)
        .finally(() => this.#calls.delete(call));
      this.#calls.set(call, cancellation);
    });
    cancellation.release();
    return (await this.#question(attempt, request)) ?? resultOf(answer);
  }

  /** Where arguments are missing, and the client can ask its user, the user is asked for them. */
  async prompt(session: Session, params: Params, context: ServerContext): Promise<Result> {
    const request = asked(session, 'prompts/get', params);
    const attempt = await this.#attempt(request, context);
    try {
      const more = await this.#missingArguments(params, attempt.channel);
      const given = isJsonObject(params.arguments) ? params.arguments : {};
      return await this.answer('prompts/get', session, { ...params, arguments: { ...given, ...more } });
    } catch (error) {
      const question = await this.#question(attempt, request);
      if (question !== undefined) return question;
      throw error;
    } finally {
      attempt.cancellation.release();
    }
  }

  async #missingArguments(params: Params, channel: ModernCallChannel): Promise<Params> {
    const { name, arguments: given = {} } = params;
    if (typeof name !== 'string' || !isJsonObject(given) || !channel.can('elicitation')) return {};
    const missing = await this.surface.prompts.missing(name, given);
    if (missing.length === 0) return {};
    const fields = missing.map((argument): [string, FormField] => [
      argument.name,
      { type: 'string', description: argument.description },
    ]);
    const answer = await channel.elicit({
      message: `The prompt ${name} needs more.`,
      fields: Object.fromEntries(fields),
      required: missing.map((argument) => argument.name),
    });
    return answer.action === 'accept' ? answer.content : {};
  }

  async #attempt(request: AskingRequest, context: ServerContext): Promise<Attempt> {
    const carried = await this.#states.open(context, request);
    const cancellation = Cancellation.following(context.mcpReq.signal);
    const responses = context.mcpReq.inputResponses ?? {};
    const digest = (value: unknown) => this.binding.digestOf(value);
    const questions = new InputQuestions(carried, responses, digest, cancellation);
    return { questions, channel: new ModernCallChannel(context, questions), cancellation };
  }

  async #question({ questions }: Attempt, request: AskingRequest): Promise<Result | undefined> {
    const { missing, open } = questions;
    if (missing !== undefined) {
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { [missing]: {} } });
    }
    if (open === undefined) return undefined;
    const requestState = await this.#states.seal(questions.state, request);
    return inputRequired({ inputRequests: Object.fromEntries(open), requestState });
  }
}

function asked(session: Session, method: string, params: Params): AskingRequest {
  return { caller: session.caller, method, name: params.name, arguments: params.arguments };
}

/** The answer as the SDK takes it; an error is thrown. */
function resultOf(answer: WireAnswer): Result {
  if ('result' in answer) return { ...answer.result };
  if ('resultJson' in answer) return JSON.parse(answer.resultJson);
  const { code, message, data } = answer.error;
  const known = code === RESOURCE_NOT_FOUND_2025 ? ProtocolErrorCode.InvalidParams : code;
  throw new ProtocolError(known, message, data);
}
