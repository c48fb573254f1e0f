import { inject, injectable } from 'inversify';
import type { Cancellation } from '../../application/tool/cancellation.js';
import { ExecuteToolHandler } from '../../application/tool/execute-tool.js';
import { ListToolsHandler } from '../../application/tool/list-tools.js';
import type { CallChannel } from '../../application/tool/tool-context.js';
import { isJsonObject } from '../../domain/json-value.js';
import { type ErrorStyle, toWireError, type WireAnswer } from './error-mapping.js';
import { INVALID_PARAMS } from './json-rpc.js';
import { ProtocolOptions } from './protocol-options.js';
import { toWireResult } from './result-mapping.js';

type Params = Readonly<Record<string, unknown>>;

const NO_PARAMS: Params = Object.freeze({});

/** What the server offers, in terms of the protocol but of no SDK: each era's adapter hands its requests here. */
@injectable()
export class ProtocolSurface {
  readonly #errorStyle: ErrorStyle;

  constructor(
    @inject(ExecuteToolHandler) private readonly execute: ExecuteToolHandler,
    @inject(ListToolsHandler) private readonly list: ListToolsHandler,
    @inject(ProtocolOptions) options: ProtocolOptions,
  ) {
    this.#errorStyle = options.errorStyle;
  }

  listTools(sessionId: string, params: Params = NO_PARAMS): WireAnswer {
    const { cursor } = params;
    if (cursor !== undefined && typeof cursor !== 'string') {
      return invalidParams('tools/list: cursor must be a text, the nextCursor of the page before.');
    }
    const page = this.list.handle({ sessionId, ...(cursor !== undefined && { cursor }) });
    return page.success ? { result: { ...page.value } } : invalidParams(`tools/list: ${page.error}`);
  }

  async callTool(
    sessionId: string,
    params: Params = NO_PARAMS,
    channel: CallChannel,
    cancellation: Cancellation,
  ): Promise<WireAnswer> {
    const { name, arguments: args, _meta } = params;
    if (typeof name !== 'string' || name === '') {
      return invalidParams('tools/call: params.name is required, the name of a tool as tools/list shows it.');
    }
    const outcome = await this.execute.handle({
      sessionId,
      toolName: name,
      arguments: args,
      channel,
      cancellation,
      ...(isJsonObject(_meta) && { meta: _meta }),
    });
    return outcome.success
      ? { result: toWireResult(outcome.value) }
      : toWireError(outcome.error, this.#errorStyle);
  }
}

function invalidParams(message: string): WireAnswer {
  return { error: { code: INVALID_PARAMS, message } };
}
