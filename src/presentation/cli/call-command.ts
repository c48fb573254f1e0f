import type { Result } from '../../domain/result.js';
import type { ToolError } from '../../domain/tool/tool-error.js';
import { toolFailure } from '../../domain/tool/tool-error.js';
import { ToolResult } from '../../domain/tool/tool-result.js';
import { toWireResult } from '../mcp/result-mapping.js';
import { jsonArgumentProblem, parseJsonArgument } from './json-argument.js';
import type { ExitCode, Output } from './output.js';

type Execute = (
  tool: string,
  args: Readonly<Record<string, unknown>>,
) => Promise<Result<ToolResult, ToolError>>;

/** `castellan call TOOL [JSON|-]`: one call through the whole pipeline. Text comes out raw, else the envelope. */
export async function callCommand(
  execute: Execute,
  tool: string,
  json: string,
  options: { readonly json?: boolean },
  output: Output,
): Promise<ExitCode> {
  const args = parseJsonArgument(json);
  if (args === undefined) {
    output.err(jsonArgumentProblem(json));
    return 2;
  }
  const outcome = await execute(tool, args);
  const result = outcome.success ? outcome.value : ToolResult.json(toolFailure(outcome.error).toEnvelope());
  if (options.json) output.out(JSON.stringify(toWireResult(result), undefined, 2));
  else output.out(plainText(result));
  if (!outcome.success) output.err(outcome.error.message);
  return outcome.success ? 0 : 1;
}

function plainText(result: ToolResult): string {
  if (result.structured) return JSON.stringify(result.structured, undefined, 2);
  return result.content
    .map((block) => (block.type === 'text' ? block.text : JSON.stringify({ ...block, data: undefined })))
    .join('\n');
}
