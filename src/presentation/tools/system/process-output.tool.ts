// How a tool is written: ../README.md
import * as Type from 'typebox';
import { ReadProcessOutputHandler } from '../../../application/command/background/read-process-output.js';
import { showProcess } from '../../answers/command-text.js';
import { defineTool } from '../define-tool.js';
import { toolArguments } from '../tool-arguments.js';
import { processId, processReport, UNKNOWN, WAITING, waitFor, waitSeconds } from './process-fields.js';

export const processOutputTool = defineTool({
  name: 'process_output',
  version: '1.1.0',
  category: 'system',
  sessionBound: true,
  tags: ['shell'],
  summary: 'Read what a background process printed.',
  description:
    'Shows what a command in the background printed since the last answer, and whether it still runs. Nothing is repeated unless "cursor" or "tail" asks for it; the last 2 MiB are kept.',
  usage:
    'Give "wait_for" to wait in one call: exit, line or idle, for at most "wait" seconds. "cursor" reads again from there, "tail" shows the last lines.',
  concise: {
    text: 'Read new output of a background process; wait_for waits in one call.',
    arguments: {
      process_id: 'From execute_command',
      cursor: 'Read again from here',
      tail: 'Last lines instead',
      wait_for: 'What to wait for',
      wait: 'Seconds at most',
    },
  },
  examples: [
    { title: 'What is new', arguments: { process_id: 'p_3fca0c4e' } },
    { title: 'Wait for its end', arguments: { process_id: 'p_3fca0c4e', wait_for: 'exit', wait: 45 } },
    { title: 'From the beginning', arguments: { process_id: 'p_3fca0c4e', cursor: 0 } },
    { title: 'The last lines', arguments: { process_id: 'p_3fca0c4e', tail: 20 } },
  ],
  effects: { readOnly: true, destructive: false, idempotent: false, openWorld: false },
  errors: [UNKNOWN],
  security: 'Shows output of processes of the same session only.',
  specification: {
    answer: {
      process_id: 'p_3fca0c4e',
      state: 'running',
      output: 'listening on 3000\n',
      cursor: 18,
      duration_ms: 61_200,
    },
    security: {
      files: 'None.',
      network: 'None.',
      execution: 'None.',
      changes: 'None.',
      secrets: '`redaction: { results: true }` hides secrets in output, as for execute_command.',
    },
  },
  input: toolArguments({
    process_id: processId,
    cursor: Type.Optional(
      Type.Integer({
        description: 'Bytes to skip, to read something again. Default: what earlier answers have shown.',
        minimum: 0,
        examples: [120],
      }),
    ),
    tail: Type.Optional(
      Type.Integer({
        description: 'The last lines instead, 1 to 10000.',
        minimum: 1,
        maximum: 10_000,
        examples: [20],
      }),
    ),
    wait_for: waitFor('anything new'),
    wait: waitSeconds('30 with wait_for, else 0'),
  }),
  output: processReport,
  show: showProcess,
  ...WAITING,
  needs: { processes: ReadProcessOutputHandler },
  run: (args, { processes }, context) => processes.handle(args, context),
});
