// How a tool is written: ../README.md
import * as Type from 'typebox';
import { Result } from '../../../domain/result.js';
import { ToolResult } from '../../../domain/tool/tool-result.js';
import { defineTool } from '../define-tool.js';
import { toolArguments } from '../tool-arguments.js';

export const echoTool = defineTool({
  name: 'echo',
  version: '1.0.0',
  category: 'utility',
  tags: ['diagnostics'],
  summary: 'Echo a message back.',
  description:
    'Answers with the message it was given. Use it to see whether the server is reachable and how answers look; it reads and changes nothing.',
  usage: 'Call with a message, or without arguments for an empty one.',
  concise: {
    text: 'Return the message, to see that the server answers.',
    arguments: { message: 'Any text; it comes back unchanged' },
  },
  examples: [
    { title: 'A greeting comes back as "Echo: Hello"', arguments: { message: 'Hello' } },
    { title: 'Without a message the answer is "Echo: "', arguments: {} },
  ],
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  security: 'None: the message is returned to the caller that sent it and is not kept.',
  outputText: '`Echo: ` followed by the message.',
  profile: { from: 'readonly' },
  specification: {
    answer: 'Echo: Hello',
    security: {
      files: 'None.',
      network: 'None.',
      execution: 'None.',
      changes: 'None.',
      secrets:
        'The message is returned to the caller that sent it and is kept only as a digest in the audit log.',
    },
  },
  input: toolArguments({
    message: Type.Optional(
      Type.String({
        description: 'The text to send back; any text, empty by default.',
        default: '',
        examples: ['Hello'],
      }),
    ),
  }),
  run: ({ message = '' }) => Result.ok(ToolResult.text(`Echo: ${message}`)),
});
