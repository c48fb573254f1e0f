// How a tool is written: ../README.md

import * as Type from 'typebox';
import { SetFlagHandler } from '../../../application/flag/set-flag.js';
import { defineTool } from '../define-tool.js';
import { toolArguments } from '../tool-arguments.js';
import { FLAG_STORE_ERRORS, flagNameField, flagValueField, setFlagOutput } from './flag-arguments.js';

export const setFeatureFlagTool = defineTool({
  name: 'set_feature_flag',
  version: '1.0.0',
  category: 'project',
  tags: ['flags'],
  summary: 'Set or remove a flag of all projects.',
  description:
    'Writes one global flag: the default in every project that does not set the flag itself. The flags of projects are not touched.',
  usage: 'Call with a name for true, with a value for something else, with null to remove the flag.',
  concise: {
    text: 'Set or remove a global flag, the default for every project.',
    arguments: { flag: 'Name of the flag', value: 'Default true; null removes' },
  },
  examples: [
    { title: 'Switch a flag on', arguments: { flag: 'dark-mode' } },
    { title: 'Give it a list', arguments: { flag: 'reviewers', value: ['ada', 'grace'] } },
    { title: 'Remove it', arguments: { flag: 'dark-mode', value: null } },
  ],
  effects: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  errors: [
    {
      type: 'ToolValidationError',
      when: 'the settings have a schema for the flag and the value does not fit',
    },
    ...FLAG_STORE_ERRORS,
  ],
  security:
    'Changes the global flags only. A flag may switch tools and documents on and off: a policy that must not be changed so leaves this tool out.',
  input: toolArguments({ flag: flagNameField, value: Type.Optional(flagValueField) }),
  output: setFlagOutput,
  needs: { flags: SetFlagHandler },
  run: ({ flag, value = true }, { flags }) => flags.handle({ scope: 'global', flag, value }),
});
