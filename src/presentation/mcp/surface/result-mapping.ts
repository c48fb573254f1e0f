import type { TracedOutcome } from '../../../application/ports/system/request-tracer.js';
import type { ToolResult } from '../../../domain/tool/tool-result.js';
import { INVALID_PARAMS, METHOD_NOT_FOUND, type RpcError } from './json-rpc.js';

/** `resultJson`: the result as JSON text. */
export type WireAnswer =
  | { readonly result: Readonly<Record<string, unknown>> }
  | { readonly resultJson: string }
  | { readonly error: RpcError };

/** A ToolResult as `tools/call` answers it. */
export function toWireResult(result: ToolResult): Readonly<Record<string, unknown>> {
  return {
    content: result.content,
    ...(result.structured && { structuredContent: result.structured }),
    ...(result.isError && { isError: true }),
  };
}

/** The envelope of a structured answer is JSON text already: a long list is not written out once more. */
export function toWireAnswer(result: ToolResult): WireAnswer {
  const { content, json, isError } = result;
  if (json === undefined) return { result: toWireResult(result) };
  const error = isError ? ',"isError":true' : '';
  return { resultJson: `{"content":${JSON.stringify(content)},"structuredContent":${json}${error}}` };
}

/** What a trace tells of an answer. */
export function tracedOutcome(answer: WireAnswer | undefined): TracedOutcome {
  if (answer === undefined) return { errorCode: METHOD_NOT_FOUND };
  if ('error' in answer) return { errorCode: answer.error.code };
  if ('resultJson' in answer) return { toolFailed: answer.resultJson.endsWith(',"isError":true}') };
  return { toolFailed: answer.result.isError === true };
}

export function invalidParams(message: string): WireAnswer {
  return { error: { code: INVALID_PARAMS, message } };
}
