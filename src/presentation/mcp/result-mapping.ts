import type { ToolResult } from '../../domain/tool/tool-result.js';

/** A ToolResult as `tools/call` answers it. */
export function toWireResult(result: ToolResult): Readonly<Record<string, unknown>> {
  return {
    content: result.content,
    ...(result.structured && { structuredContent: result.structured }),
    ...(result.isError && { isError: true }),
  };
}
