// How a tool is written: ../README.md
import * as Type from 'typebox';
import { WriteProcessInputHandler } from '../../../application/command/background/write-process-input.js';
import { showProcess } from '../../answers/command-text.js';
import { defineTool } from '../define-tool.js';
import { toolArguments } from '../tool-arguments.js';
import { processId, processReport, UNKNOWN, WAITING, waitFor, waitSeconds } from './process-fields.js';

export const processInputTool = defineTool({
  name: 'process_input',
  version: '1.1.0',
  category: 'system',
  sessionBound: true,
  tags: ['shell'],
  summary: 'Write to the input of a background process.',
  description:
    'Writes text to the standard input of a command that was started with background: true. There is no terminal: end lines with \\n. The answer has what the process printed since the last one.',
  usage: 'Give "text"; the answer comes when the process has replied and is silent. "close" ends the input.',
  concise: {
    text: 'Type to a process that was started with background: true; returns its reply.',
    arguments: {
      process_id: 'From execute_command',
      text: 'End lines with \\n',
      close: 'No more follows: end of file',
      wait_for: 'What to wait for',
      wait: 'Seconds at most',
    },
  },
  examples: [
    { title: 'A line for an interpreter', arguments: { process_id: 'p_3fca0c4e', text: 'print(1 + 1)\n' } },
    { title: 'No more input', arguments: { process_id: 'p_3fca0c4e', close: true } },
  ],
  effects: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  errors: [UNKNOWN, { type: 'ExecutionError', when: 'its input is closed, or it does not read it' }],
  security: 'Typing to a shell is running commands: only where the policy allows every program.',
  specification: {
    answer: {
      process_id: 'p_3fca0c4e',
      state: 'running',
      output: '> 2\n',
      cursor: 2_048,
      duration_ms: 61_200,
    },
    security: {
      files: 'The process reads and writes what it can reach in its sandbox.',
      network: 'The process reaches what `network` of execute_command gives to its sandbox.',
      execution:
        'An interpreter runs what is typed to it: the tool is there only where execute_command allows every program, and asks where that asks.',
      changes:
        'Whatever the process does with the text, where it may write. Set `consent: ask` at execute_command to be asked.',
      secrets: 'The text is in the audit log as the policy says for arguments, by default as a digest.',
    },
  },
  input: toolArguments({
    process_id: processId,
    text: Type.Optional(
      Type.String({
        description: 'What to type, at most 65536 characters; nothing where absent.',
        maxLength: 65_536,
        examples: ['print(1 + 1)\n'],
      }),
    ),
    close: Type.Optional(
      Type.Boolean({ description: 'End the input after the text; false where absent.', examples: [true] }),
    ),
    wait_for: waitFor('idle'),
    wait: waitSeconds('2'),
  }),
  output: processReport,
  show: showProcess,
  ...WAITING,
  needs: { processes: WriteProcessInputHandler },
  run: (args, { processes }, context) => processes.handle(args, context),
});
