// How a tool is written: ../README.md
import { GetFlagHandler } from '../../../application/flag/get-flag.js';
import { defineTool } from '../define-tool.js';
import { toolArguments } from '../tool-arguments.js';
import { FLAG_STORE_ERRORS, flagNameField, getFlagOutput } from './flag-arguments.js';

export const getFeatureFlagTool = defineTool({
  name: 'get_feature_flag',
  version: '1.0.0',
  category: 'project',
  tags: ['flags'],
  summary: 'Read a flag that holds for all projects.',
  description: 'The global value and nothing else: what a project sets for itself is not looked at.',
  usage: 'Call with the name of the flag. An absent flag is an answer, not an error.',
  concise: { text: 'Read a global flag, whatever projects set.', arguments: { flag: 'Name of the flag' } },
  examples: [{ title: 'Is dark mode on?', arguments: { flag: 'dark-mode' } }],
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  errors: FLAG_STORE_ERRORS,
  security: 'Reads flags only. Keep no secrets in flags: whoever may call this reads them.',
  input: toolArguments({ flag: flagNameField }),
  output: getFlagOutput(
    ['GLOBAL', 'ABSENT'],
    'GLOBAL: it is set. ABSENT: it is not; what projects set does not count.',
  ),
  needs: { flags: GetFlagHandler },
  run: ({ flag }, { flags }) => flags.handle({ scope: 'global', flag }),
});
