import type { Result } from '../../domain/result.js';
import type { ToolError } from '../../domain/tool/tool-error.js';
import { ToolResult } from '../../domain/tool/tool-result.js';
import { toWireResult } from '../mcp/surface/result-mapping.js';
import { jsonArgumentProblem, parseJsonArgument } from './json-argument.js';
import type { ExitCode, Output } from './output.js';

type Execute = (
  tool: string,
  args: Readonly<Record<string, unknown>>,
) => Promise<Result<ToolResult, ToolError>>;

/** `castellan call TOOL [JSON|-]`: one call through the whole pipeline. Text comes out raw, else the envelope; a failure in words. */
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
  const result = outcome.success ? outcome.value : ToolResult.json(outcome.toEnvelope());
  if (options.json) output.out(JSON.stringify(toWireResult(result), undefined, 2));
  else if (outcome.success) output.out(plainText(result));
  if (!outcome.success) output.err(failureInWords(outcome.error, tool));
  return outcome.success ? 0 : 1;
}

/** What a person at a terminal can act on; the envelope with its codes comes with --json. */
function failureInWords(error: ToolError, tool: string): string {
  if (error.kind === 'invalid-input') {
    const problems = error.problems.map(
      ({ issue, expected, received, hint }) =>
        `- ${issue}${issue.endsWith(expected) ? '' : `, ${expected}`}; got ${received}. ${hint}`,
    );
    return [`The arguments of ${tool} do not fit.`, ...problems].join('\n');
  }
  const refused = error.kind === 'permission-denied' || error.kind === 'consent-required';
  return refused
    ? `${error.message}\nWhich rule it was: castellan policy explain ${tool}, with the same arguments.`
    : error.message;
}

function plainText(result: ToolResult): string {
  if (result.structured) return JSON.stringify(result.structured, undefined, 2);
  return result.content
    .map((block) => (block.type === 'text' ? block.text : JSON.stringify({ ...block, data: undefined })))
    .join('\n');
}
