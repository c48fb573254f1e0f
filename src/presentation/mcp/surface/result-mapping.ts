import type { ToolResult } from '../../../domain/tool/tool-result.js';
import type { RpcError } from './json-rpc.js';

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
