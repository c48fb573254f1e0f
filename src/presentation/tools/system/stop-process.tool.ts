// How a tool is written: ../README.md
import { StopProcessHandler } from '../../../application/command/background/stop-process.js';
import { showProcess } from '../../answers/command-text.js';
import { defineTool } from '../define-tool.js';
import { toolArguments } from '../tool-arguments.js';
import { processId, processReport, UNKNOWN } from './process-fields.js';

export const stopProcessTool = defineTool({
  name: 'stop_process',
  version: '1.0.0',
  category: 'system',
  sessionBound: true,
  tags: ['shell'],
  summary: 'Stop a background process.',
  description: 'Ends a command that runs on, with everything it started. The answer has its last lines.',
  usage: 'Give the id. A process that has ended already is no error.',
  concise: {
    text: 'End a background process with everything it started.',
    arguments: { process_id: 'From execute_command' },
  },
  examples: [{ title: 'End a server', arguments: { process_id: 'p_3fca0c4e' } }],
  effects: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  errors: [UNKNOWN],
  security: 'Ends processes of the same session only.',
  specification: {
    answer: {
      process_id: 'p_3fca0c4e',
      state: 'stopped',
      output: 'listening on 3000\n',
      cursor: 18,
      duration_ms: 61_200,
    },
    security: {
      files: 'None.',
      network: 'None.',
      execution: 'None.',
      changes: 'Ends a process of the same session at once; what it had not written is lost.',
      secrets: 'Shows the last lines of output; `redaction: { results: true }` hides secrets in them.',
    },
  },
  input: toolArguments({ process_id: processId }),
  output: processReport,
  show: showProcess,
  budget: { timeoutMs: 15_000 },
  needs: { processes: StopProcessHandler },
  run: (args, { processes }, context) => processes.handle(args, context),
});
