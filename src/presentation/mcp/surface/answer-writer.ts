import { inject, injectable } from 'inversify';
import { ToolRegistry } from '../../../application/ports/tool/tool-registry.js';
import { isJsonObject } from '../../../domain/json-value.js';
import type { Envelope, Result } from '../../../domain/result.js';
import type { ToolError } from '../../../domain/tool/tool-error.js';
import type { ContentBlock, ToolResult } from '../../../domain/tool/tool-result.js';
import { ANSWERS_META, type AnswerStyle, isAnswerStyle } from '../../answers/answer-style.js';
import { fittedContent, successBlocks } from '../../answers/success-blocks.js';
import { toWireError } from './error-mapping.js';
import { ProtocolOptions } from './protocol-options.js';
import { toWireAnswer, type WireAnswer } from './result-mapping.js';

/** What is known of a `tools/call`: its parameters as they came. */
export interface AnsweredCall {
  readonly name: string;
  readonly arguments?: unknown;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

const NO_ARGUMENTS: Readonly<Record<string, unknown>> = Object.freeze({});

/** Writes what a call came to in the style of the server, or in the one that the call names in its `_meta`. */
@injectable()
export class AnswerWriter {
  constructor(
    @inject(ToolRegistry) private readonly tools: ToolRegistry,
    @inject(ProtocolOptions) private readonly options: ProtocolOptions,
  ) {}

  write(call: AnsweredCall, outcome: Result<ToolResult, ToolError>): WireAnswer {
    const style = this.styleOf(call.meta);
    if (!outcome.success) return toWireError(outcome, this.options.errorStyle, style);
    const { structured } = outcome.value;
    if (style === 'envelope') return toWireAnswer(outcome.value);
    const { isError, content } = outcome.value;
    if (structured === undefined) {
      const { answerTokens = Number.POSITIVE_INFINITY } = this.options;
      return { result: { content: fittedContent(content, answerTokens), ...(isError && { isError }) } };
    }
    return { result: { content: this.shown(call, structured), ...(isError && { isError }) } };
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
