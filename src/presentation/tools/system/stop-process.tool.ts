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
  input: toolArguments({ process_id: processId }),
  output: processReport,
  show: showProcess,
  budget: { timeoutMs: 15_000 },
  needs: { processes: StopProcessHandler },
  run: (args, { processes }, context) => processes.handle(args, context),
});
