import {
  createRequestStateCodec,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { isJsonObject } from '../../../domain/json-value.js';
import type { AskingRequest, StateBinding } from './state-binding.js';

const TTL_SECONDS = 600;
const MAX_STATE_CHARACTERS = 256 * 1024;

/** What a client carries from one try of a request to the next. */
export interface CarriedState {
  /** The digests of the questions that were asked last, by their keys. */
  readonly asked: Readonly<Record<string, string>>;
  /** What was answered in earlier rounds. */
  readonly answers: Readonly<Record<string, { readonly digest: string; readonly response: unknown }>>;
}

const NOTHING_CARRIED: CarriedState = { asked: {}, answers: {} };

/**
 * Seals states with the SDK's codec, which checks that they are ours, not expired, and bound to the request; that
 * each is used once is checked here.
 */
export class RequestStates {
  constructor(private readonly binding: StateBinding) {}

  /** Throws the protocol's error where the state is not good for this request, or no longer. */
  async open(context: ServerContext, request: AskingRequest): Promise<CarriedState> {
    const sealed: unknown = context.mcpReq.requestState();
    if (sealed === undefined) return NOTHING_CARRIED;
    const codec = await this.#codec(request);
    const state =
      typeof sealed === 'string' ? await codec.verify(sealed, context).catch(() => undefined) : undefined;
    if (!isJsonObject(state) || typeof state.id !== 'string' || typeof state.expiresAt !== 'number') {
      throw refused('is not one of this server for this very request and policy, or has expired');
    }
    if (!(await this.binding.consumed.consume(state.id, state.expiresAt))) throw refused('was used before');
    return { asked: textsOf(state.asked), answers: answersOf(state.answers) };
  }

  async seal(state: CarriedState, request: AskingRequest): Promise<string> {
    const expiresAt = Date.now() + TTL_SECONDS * 1000;
    const codec = await this.#codec(request);
    const sealed = await codec.mint({ ...state, id: crypto.randomUUID(), expiresAt });
    if (sealed.length <= MAX_STATE_CHARACTERS) return sealed;
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `The answers so far take more than ${MAX_STATE_CHARACTERS} characters; give shorter ones.`,
    );
  }

  /** The codec can bind to what the SDK knows of a request; what we bind to is known before, so it is in the key. */
  async #codec(request: AskingRequest) {
    const master = await this.binding.consumed.sealingKey();
    const hmac = await crypto.subtle.importKey('raw', Uint8Array.from(master), HMAC, false, ['sign']);
    const label = new TextEncoder().encode(`castellan.request-state:${this.binding.of(request)}`);
    const key = new Uint8Array(await crypto.subtle.sign('HMAC', hmac, label));
    return createRequestStateCodec({ key, ttlSeconds: TTL_SECONDS });
  }
}

const HMAC = { name: 'HMAC', hash: 'SHA-256' } as const;

function refused(why: string): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `requestState ${why}. Send the request again without requestState and inputResponses.`,
    { reason: 'invalid_request_state' },
  );
}

function textsOf(value: unknown): Readonly<Record<string, string>> {
  const members = Object.entries(isJsonObject(value) ? value : {});
  return Object.fromEntries(
    members.flatMap(([key, member]) => (typeof member === 'string' ? [[key, member]] : [])),
  );
}

function answersOf(value: unknown): CarriedState['answers'] {
  const members = Object.entries(isJsonObject(value) ? value : {});
  return Object.fromEntries(
    members.flatMap(([key, member]) =>
      isJsonObject(member) && typeof member.digest === 'string'
        ? [[key, { digest: member.digest, response: member.response }]]
        : [],
    ),
  );
}
