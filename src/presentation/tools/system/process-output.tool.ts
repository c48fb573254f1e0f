// How a tool is written: ../README.md
import * as Type from 'typebox';
import { ReadProcessOutputHandler } from '../../../application/command/background/read-process-output.js';
import { showProcess } from '../../answers/command-text.js';
import { defineTool } from '../define-tool.js';
import { toolArguments } from '../tool-arguments.js';
import { MAX_WAIT_S, processId, processReport, UNKNOWN } from './process-fields.js';

export const processOutputTool = defineTool({
  name: 'process_output',
  version: '1.0.0',
  category: 'system',
  sessionBound: true,
  tags: ['shell'],
  summary: 'Read what a background process printed.',
  description:
    'Shows output of a command that runs on, and whether it still runs. Pages joined give the whole output; the last 2 MiB are kept.',
  usage:
    'Give "cursor" from the last answer to read on, or "tail" for the last lines. "wait" waits for something new.',
  concise: {
    text: 'Read the output of a background process. Give cursor to read on, or tail.',
    arguments: {
      process_id: 'From execute_command',
      cursor: 'From the last answer',
      tail: 'Last lines instead',
      wait: 'Seconds to wait for news',
    },
  },
  examples: [
    { title: 'From the beginning', arguments: { process_id: 'p_3fca0c4e' } },
    { title: 'Wait for more', arguments: { process_id: 'p_3fca0c4e', cursor: 120, wait: 30 } },
    { title: 'The last lines', arguments: { process_id: 'p_3fca0c4e', tail: 20 } },
  ],
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  errors: [UNKNOWN],
  security: 'Shows output of processes of the same session only.',
  input: toolArguments({
    process_id: processId,
    cursor: Type.Optional(
      Type.Integer({
        description: 'Bytes to skip: "cursor" of the last answer; 0 where absent.',
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
    wait: Type.Optional(
      Type.Number({
        description: `Seconds to wait for new output or the end, 0 to ${MAX_WAIT_S}; 0 where absent.`,
        minimum: 0,
        maximum: MAX_WAIT_S,
        examples: [30],
      }),
    ),
  }),
  output: processReport,
  show: showProcess,
  budget: { timeoutMs: (MAX_WAIT_S + 2) * 1000 },
  whyLonger: 'It waits for output as long as the caller asks.',
  needs: { processes: ReadProcessOutputHandler },
  run: (args, { processes }, context) => processes.handle(args, context),
});
