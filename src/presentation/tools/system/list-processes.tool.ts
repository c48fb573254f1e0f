// How a tool is written: ../README.md
import * as Type from 'typebox';
import { ListProcessesHandler } from '../../../application/command/background/list-processes.js';
import { defineTool } from '../define-tool.js';
import { toolArguments } from '../tool-arguments.js';
import { exitCode, processState, runningTime } from './process-fields.js';

export const listProcessesTool = defineTool({
  name: 'list_processes',
  version: '1.0.0',
  category: 'system',
  sessionBound: true,
  tags: ['shell'],
  summary: 'List the background processes.',
  description: 'The commands of this session that run on, and the last that have ended.',
  usage: 'Call it without arguments.',
  concise: { text: 'List the background processes of this session.', arguments: {} },
  examples: [{ title: 'All of them', arguments: {} }],
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  security: 'Shows processes of the same session only.',
  specification: {
    answer: [
      {
        process_id: 'p_3fca0c4e',
        command: 'npm run dev',
        state: 'running',
        duration_ms: 61_200,
        output_bytes: 2_048,
      },
    ],
    security: {
      files: 'None.',
      network: 'None.',
      execution: 'None.',
      changes: 'None.',
      secrets:
        'Shows the command lines of the session that asks. Pass no tokens in them: give them by `env`.',
    },
  },
  input: toolArguments({}),
  output: Type.Array(
    Type.Object({
      process_id: Type.String({ description: 'For process_output and stop_process.' }),
      command: Type.String({ description: 'As it was given, at most 200 characters.' }),
      state: processState,
      exit_code: exitCode,
      duration_ms: runningTime,
      output_bytes: Type.Integer({ description: 'Printed so far.', minimum: 0 }),
    }),
  ),
  needs: { processes: ListProcessesHandler },
  run: (_args, { processes }, context) => processes.handle(context),
});
