// How a tool is written: ../README.md. This module is loaded only with MCP_INCLUDE_EXAMPLE_TOOLS=true.
import * as Type from 'typebox';
import { Result } from '../../../domain/result.js';
import { executionFailed, toolFailure } from '../../../domain/tool/tool-error.js';
import { ToolResult } from '../../../domain/tool/tool-result.js';
import { declareTool } from '../declared-tools.js';
import { defineTool } from '../define-tool.js';
import { toolArguments } from '../tool-arguments.js';

/** A structured tool that reports progress, stops when it is cancelled, and explains a failure. */
export const exampleCountdownTool = declareTool(
  defineTool({
    name: 'example_countdown',
    version: '1.0.0',
    category: 'example',
    summary: 'Count down and report progress.',
    description:
      'Counts from a number to zero, one step at a time. A model to copy: it shows progress, cancellation and a structured answer.',
    usage: 'Call with the number to start from.',
    examples: [{ title: 'Three steps', arguments: { from: 3 } }],
    effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    errors: [{ type: 'ToolExecutionError', when: 'the number is 13, to show how a tool explains a failure' }],
    security: 'Touches nothing outside the call.',
    specification: {
      answer: { steps: [3, 2, 1, 0] },
      security: { files: 'None.', network: 'None.', execution: 'None.', changes: 'None.', secrets: 'None.' },
    },
    input: toolArguments({
      from: Type.Integer({
        description: 'Where to start; a whole number from 1 to 100.',
        minimum: 1,
        maximum: 100,
        examples: [3],
      }),
    }),
    output: Type.Object({
      steps: Type.Array(Type.Integer({ description: 'A number of the countdown.' }), {
        description: 'Every number on the way.',
      }),
    }),
    run: async ({ from }, _needs, context) => {
      if (from === 13) {
        return toolFailure(executionFailed('13 is not counted here. Pass another number from 1 to 100.'));
      }
      const steps: number[] = [];
      for (let step = from; step >= 0; step -= 1) {
        context.signal.throwIfAborted();
        steps.push(step);
        context.progress(from - step, from, `${step} left`);
        await new Promise((resolve) => setImmediate(resolve));
      }
      return Result.ok({ steps }, { message: `Counted ${steps.length} numbers.` });
    },
  }),
);

/** A text tool that requires a literal consent. */
export const exampleForgetTool = declareTool(
  defineTool({
    name: 'example_forget',
    version: '1.0.0',
    category: 'example',
    summary: 'Forget a thing, on explicit instruction.',
    description:
      'Pretends to forget what it is told. A model to copy: it shows the literal that guards a significant action.',
    usage: 'Call with what to forget and the literal explicit_action.',
    examples: [{ title: 'Forget a name', arguments: { what: 'the name', explicit_action: 'FORGET' } }],
    effects: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    explicitAction: 'FORGET',
    specification: {
      answer: 'Forgotten: the name',
      security: {
        files: 'None.',
        network: 'None.',
        execution: 'None.',
        changes: 'None; a real tool of this kind says here what is lost and how to get it back.',
        secrets: 'None.',
      },
    },
    security: 'Touches nothing; a real tool of this kind would say here what is lost for good.',
    outputText: 'A sentence that says what was forgotten.',
    input: toolArguments({
      what: Type.String({
        description: 'What to forget; any text of 1 to 100 characters.',
        minLength: 1,
        maxLength: 100,
        examples: ['the name'],
      }),
      explicit_action: Type.Literal('FORGET', {
        description: 'Must be exactly FORGET, and only on the explicit instruction of the user.',
      }),
    }),
    run: ({ what }) => Result.ok(ToolResult.text(`Forgotten: ${what}`)),
  }),
);
