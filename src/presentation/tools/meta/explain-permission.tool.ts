// How a tool is written: ../README.md
import * as Type from 'typebox';
import { ExplainPermissionHandler } from '../../../application/permission/explain-permission.js';
import { Result } from '../../../domain/result.js';
import { defineTool } from '../define-tool.js';
import { mapOf, toolArguments } from '../tool-arguments.js';

export const explainPermissionTool = defineTool({
  name: 'explain_permission',
  version: '1.0.0',
  category: 'meta',
  toolset: 'commands',
  tags: ['permission'],
  summary: 'Ask whether a call would be allowed.',
  description:
    'Says whether the policy would let a call pass, which kind of rule decides and what to do about it, without making the call. Use it before work that depends on a permission, or to understand a refusal.',
  usage: 'Call with the name of a tool and the arguments you would give it; they need not be complete.',
  concise: {
    text: 'Ask whether the policy would allow a call, and what to do if not. Nothing is run.',
    arguments: { tool: 'Name of a tool', arguments: 'Of the call in question' },
  },
  examples: [
    {
      title: 'May this file be written?',
      arguments: { tool: 'write_file', arguments: { path: 'src/index.ts' } },
    },
    {
      title: 'Would this command line run?',
      arguments: { tool: 'execute_command', arguments: { command: 'npm test' } },
    },
    { title: 'May the tool be used at all?', arguments: { tool: 'echo' } },
  ],
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  security:
    'Runs nothing and asks nobody. Names the kind of rule and what to do; never a rule, a pattern, a place in the policy or a path that the call did not name. A tool that the caller may not see is answered like one that does not exist.',
  profile: { from: 'readonly' },
  specification: {
    answer: {
      allowed: false,
      asks: false,
      reason: 'DENIED_PATH',
      rule_kind: 'path',
      hint: 'Choose another path, or ask the operator.',
    },
    security: {
      files: 'None: a path is judged by its name and its links, never opened.',
      network: 'None.',
      execution: 'None: the call in question is not made and nobody is asked.',
      changes: 'None.',
      secrets:
        'Names the kind of rule, never a rule, a pattern or a path that the call did not name; a tool that the caller may not see is answered like one that does not exist. Leave it out of the policy where callers must not probe it.',
    },
  },
  input: toolArguments({
    tool: Type.String({
      description: 'The name of the tool, in any spelling; 1 to 200 characters.',
      minLength: 1,
      maxLength: 200,
      examples: ['write_file'],
    }),
    arguments: Type.Optional(
      mapOf(Type.Unknown(), {
        description: 'The arguments of the call in question, any object; none where absent.',
        default: {},
        examples: [{ path: 'src/index.ts' }],
      }),
    ),
  }),
  output: Type.Object({
    allowed: Type.Boolean({ description: 'Whether the call would pass, perhaps after a question.' }),
    asks: Type.Boolean({ description: 'Whether a person at the client is asked first.' }),
    reason: Type.Optional(Type.String({ description: 'The reason code where it is refused or asked.' })),
    rule_kind: Type.String({ description: 'The kind of rule that decides.' }),
    hint: Type.String({ description: 'What to do next.' }),
  }),
  needs: { permissions: ExplainPermissionHandler },
  run: async ({ tool, arguments: args = {} }, { permissions }, { caller }) =>
    Result.ok(await permissions.handleSafely({ caller, tool, arguments: args })),
});
