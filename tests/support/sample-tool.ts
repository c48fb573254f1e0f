import type { RunnableTool } from '../../src/application/call/runnable-tool.js';
import type { ToolDefinition } from '../../src/application/tool/tool-definition.js';
import { Result } from '../../src/domain/result.js';
import { Tool, type ToolDetails } from '../../src/domain/tool/tool.js';
import { closedObjectSchema } from '../../src/domain/tool/tool-input-schema.js';
import { parseToolName, type ToolName } from '../../src/domain/tool/tool-name.js';
import { ToolResult } from '../../src/domain/tool/tool-result.js';

export function toolName(raw: string): ToolName {
  return mustValue(parseToolName(raw));
}

/** The value, or the test ends with the reason why there is none. */
export function mustValue<T>(result: Result<T, string | { readonly message: string }>): T {
  if (result.success) return result.value;
  throw new Error(`Expected a success; got ${JSON.stringify(result.toEnvelope())}`);
}

/** The failure, or the test ends because there is none. */
export function mustFail<T, E extends string | { readonly message: string }>(result: Result<T, E>) {
  if (!result.success) return result;
  throw new Error(`Expected a failure; got ${JSON.stringify(result.value)}`);
}

export function sampleTool(details: Partial<ToolDetails> = {}): Tool {
  return mustValue(
    Tool.create({
      name: 'sample',
      description: 'A sample.',
      inputSchema: closedObjectSchema({ text: { type: 'string', description: 'Any text.' } }),
      ...details,
    }),
  );
}

export function runnable(
  details: Partial<ToolDetails> = {},
  run: RunnableTool['run'] = () => Result.ok(ToolResult.text('done')),
  budget: RunnableTool['budget'] = {},
): RunnableTool {
  return { tool: sampleTool(details), budget, permissions: () => [], run };
}

export function definition(parts: Partial<ToolDefinition> = {}): ToolDefinition {
  return {
    name: 'sample',
    version: '1.0.0',
    category: 'test',
    summary: 'A sample.',
    description: 'Answers with a sample, for tests.',
    usage: 'Call it with a text.',
    examples: [{ title: 'A text comes back', arguments: { text: 'hello' } }],
    effects: { readOnly: true },
    security: 'None.',
    input: closedObjectSchema({ text: { type: 'string', description: 'Any text.' } }),
    needs: {},
    run: () => Result.ok(ToolResult.text('done')),
    ...parts,
  };
}

export function textOf(result: ToolResult): string {
  return result.content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
}
