import { inject, injectable } from 'inversify';
import { SessionStore } from '../../../application/ports/session/session-store.js';
import { ToolRegistry } from '../../../application/ports/tool/tool-registry.js';
import { isJsonObject } from '../../../domain/json-value.js';
import type { Envelope, Result } from '../../../domain/result.js';
import type { ToolError } from '../../../domain/tool/tool-error.js';
import type { ContentBlock, ToolResult } from '../../../domain/tool/tool-result.js';
import { ANSWERS_META, type AnswerStyle, isAnswerStyle } from '../../answers/answer-style.js';
import { withLeadIn } from '../../answers/bare-json.js';
import { fittedContent, successBlocks } from '../../answers/success-blocks.js';
import { toWireError } from './error-mapping.js';
import { ProtocolOptions } from './protocol-options.js';
import { toWireAnswer, type WireAnswer } from './result-mapping.js';

/** What is known of a `tools/call`: its parameters as they came. */
export interface AnsweredCall {
  readonly name: string;
  readonly arguments?: unknown;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** Whose call it is. */
  readonly sessionId?: string;
}

const NO_ARGUMENTS: Readonly<Record<string, unknown>> = Object.freeze({});

/** Writes what a call came to in the style of the server, or in the one that the call names in its `_meta`. */
@injectable()
export class AnswerWriter {
  constructor(
    @inject(ToolRegistry) private readonly tools: ToolRegistry,
    @inject(ProtocolOptions) private readonly options: ProtocolOptions,
    @inject(SessionStore) private readonly sessions: Pick<SessionStore, 'get'>,
  ) {}

  write(call: AnsweredCall, outcome: Result<ToolResult, ToolError>): WireAnswer {
    const style = this.styleOf(call.meta);
    if (!outcome.success) return toWireError(outcome, this.options.errorStyle, style);
    const { structured } = outcome.value;
    if (style === 'envelope') return toWireAnswer(outcome.value);
    const { isError, content } = outcome.value;
    const { answerTokens = Number.POSITIVE_INFINITY } = this.options;
    const shown =
      structured === undefined ? fittedContent(content, answerTokens) : this.shown(call, structured);
    const client = call.sessionId === undefined ? undefined : this.sessions.get(call.sessionId)?.client;
    return { result: { content: withLeadIn(client, shown), ...(isError && { isError }) } };
  }

  /** `meta` is that of the call. */
  styleOf(meta: AnsweredCall['meta']): AnswerStyle {
    const named = meta?.[ANSWERS_META];
    return isAnswerStyle(named) ? named : this.options.answers;
  }

  private shown(call: AnsweredCall, envelope: Envelope): readonly ContentBlock[] {
    const args = isJsonObject(call.arguments) ? call.arguments : NO_ARGUMENTS;
    const show = this.tools.get(call.name)?.show;
    return successBlocks({ name: call.name, args, show, maxTokens: this.options.answerTokens }, envelope);
  }
}
