// How a tool is written: ../README.md
import { GetFlagHandler } from '../../../application/flag/get-flag.js';
import { defineTool } from '../define-tool.js';
import { toolArguments } from '../tool-arguments.js';
import { FLAG_STORE_ERRORS, flagNameField, getFlagOutput } from './flag-arguments.js';

export const getProjectFlagTool = defineTool({
  name: 'get_project_flag',
  version: '1.0.0',
  category: 'project',
  tags: ['flags'],
  summary: 'Read a flag as it holds in this project.',
  description: 'The value in force here and why: the one the project sets, else the global one, else none.',
  usage: 'Call with the name of the flag. An absent flag is an answer, not an error.',
  concise: {
    text: 'Read a flag as it holds in this project; the global value is the default.',
    arguments: { flag: 'Name of the flag' },
  },
  examples: [{ title: 'Is dark mode on?', arguments: { flag: 'dark-mode' } }],
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  errors: FLAG_STORE_ERRORS,
  security: 'Reads flags only. Keep no secrets in flags: whoever may call this reads them.',
  input: toolArguments({ flag: flagNameField }),
  output: getFlagOutput(
    ['PROJECT', 'GLOBAL', 'ABSENT'],
    'PROJECT: the project sets it. GLOBAL: the project does not, a global flag does. ABSENT: neither.',
  ),
  needs: { flags: GetFlagHandler },
  run: ({ flag }, { flags }) => flags.handle({ scope: 'project', flag }),
});
