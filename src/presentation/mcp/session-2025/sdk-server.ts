import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { ElicitRequestFormParams, JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { JsonSchemaType, JsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';
import { Compile } from 'typebox/compile';
import type {
  ElicitAnswer,
  ElicitRequest,
  RootsAnswer,
  SampleAnswer,
  SampleRequest,
} from '../../../application/call/tool-context.js';
import type { ReadableMessage, RequestId, RpcMessage, RpcRequest } from '../surface/json-rpc.js';
import type { ProtocolOptions } from '../surface/protocol-options.js';
import { SERVER_CAPABILITIES } from './session-2025-handshake.js';

/** The call on whose behalf the client is asked. */
export interface AskingCall {
  readonly requestId: RequestId;
  readonly signal: AbortSignal | undefined;
}

/** Takes a question to the client, by the way back of the call that asks. */
export type WriteFor = (message: RpcMessage, requestId: RequestId | undefined) => Promise<void>;

/**
 * The SDK's low-level Server for what we ask of the client: it matches answers to questions, with their time
 * limits and cancellation. Loaded for the first question, and told then of the handshake that has already been.
 */
export class SdkServer {
  readonly #server: Server;
  readonly #facade: Transport;
  #awaited: RequestId | undefined;

  private constructor(
    options: ProtocolOptions,
    private readonly write: WriteFor,
  ) {
    this.#server = new Server(options.server, {
      capabilities: SERVER_CAPABILITIES,
      instructions: options.instructions,
      jsonSchemaValidator: { getValidator: validatorFor },
    });
    this.#facade = {
      start: async () => {},
      close: async () => {},
      send: (message, options) => this.#send(message, options),
    };
  }

  static async open(options: ProtocolOptions, initialize: RpcRequest, write: WriteFor): Promise<SdkServer> {
    const server = new SdkServer(options, write);
    await server.#server.connect(server.#facade);
    await server.#replay(initialize);
    return server;
  }

  receive({ message }: ReadableMessage): void {
    this.#facade.onmessage?.(message);
  }

  async elicit({ message, fields, required = [] }: ElicitRequest, call: AskingCall): Promise<ElicitAnswer> {
    const requestedSchema: ElicitRequestFormParams['requestedSchema'] = {
      type: 'object',
      properties: { ...fields },
      required: [...required],
    };
    try {
      const answer = await asking(call, (options) =>
        this.#server.elicitInput({ message, requestedSchema }, options),
      );
      return answer.action === 'accept'
        ? { action: 'accept', content: answer.content ?? {} }
        : { action: answer.action };
    } catch (error) {
      return { action: 'unavailable', why: reasonOf(error) };
    }
  }

  async sample(request: SampleRequest, call: AskingCall): Promise<SampleAnswer> {
    const { messages, maxTokens, systemPrompt, model } = request;
    try {
      const answer = await asking(call, (options) =>
        this.#server.createMessage(
          {
            messages: messages.map(({ role, content }) => ({ role, content: { ...content } })),
            maxTokens,
            ...(systemPrompt !== undefined && { systemPrompt }),
            ...(model !== undefined && { modelPreferences: { hints: [{ name: model }] } }),
          },
          options,
        ),
      );
      const text = answer.content.type === 'text' ? answer.content.text : '';
      return { action: 'answer', text, model: answer.model };
    } catch (error) {
      return { action: 'unavailable', why: reasonOf(error) };
    }
  }

  async roots(call: AskingCall): Promise<RootsAnswer> {
    try {
      const { roots } = await asking(call, (options) => this.#server.listRoots(undefined, options));
      const readable = roots.map(({ uri, name }) => ({ uri, ...(name !== undefined && { name }) }));
      return { action: 'answer', roots: readable };
    } catch (error) {
      return { action: 'unavailable', why: reasonOf(error) };
    }
  }

  async close(): Promise<void> {
    await this.#server.close();
  }

  /** The client has its answer to initialize already; the SDK's own is only awaited. */
  async #replay(initialize: RpcRequest): Promise<void> {
    const { id, method, params: { protocolVersion, capabilities, clientInfo } = {} } = initialize;
    this.#awaited = id;
    // Nothing but what the handshake has read: of a request it cannot read the SDK says nothing at all.
    const params = { protocolVersion, capabilities, clientInfo };
    this.#facade.onmessage?.({ jsonrpc: '2.0', id, method, params });
    while (this.#awaited !== undefined) await new Promise((resolve) => setImmediate(resolve));
    this.#facade.onmessage?.({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  /** Only questions and notices leave through here; the one answer is that to the handshake replayed above. */
  async #send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if ('method' in message) await this.write(message, options?.relatedRequestId);
    else this.#awaited = undefined;
  }
}

/** The SDK withdraws a question whenever its signal fires, answered or not: it gets one that lasts until the answer. */
async function asking<T>(
  { requestId, signal }: AskingCall,
  ask: (options: { relatedRequestId: AskingCall['requestId']; signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  const withdrawal = new AbortController();
  const withdraw = () => withdrawal.abort(signal?.reason);
  if (signal?.aborted) withdraw();
  signal?.addEventListener('abort', withdraw, { once: true });
  try {
    return await ask({ relatedRequestId: requestId, signal: withdrawal.signal });
  } finally {
    signal?.removeEventListener('abort', withdraw);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Checks what a person filled into a form, with the checker we have anyway. */
function validatorFor<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
  const validator = Compile<Record<string, unknown>>({ ...schema });
  const accepts = (value: unknown): value is T => validator.Check(value);
  return (input) => {
    if (accepts(input)) return { valid: true, data: input, errorMessage: undefined };
    const problems = validator
      .Errors(input)
      .map((error) => `${error.instancePath || 'content'} ${error.message}`);
    return { valid: false, data: undefined, errorMessage: problems.join('; ') };
  };
}
