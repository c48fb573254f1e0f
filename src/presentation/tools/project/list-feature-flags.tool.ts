// How a tool is written: ../README.md
import * as Type from 'typebox';
import { ListFlagsHandler } from '../../../application/flag/list-flags.js';
import { defineTool } from '../define-tool.js';
import { toolArguments } from '../tool-arguments.js';
import { FLAG_STORE_ERRORS, flagFilterField, listFlagsOutput } from './flag-arguments.js';
import { LIST, READS } from './flag-notes.js';

export const listFeatureFlagsTool = defineTool({
  name: 'list_feature_flags',
  version: '1.0.0',
  category: 'project',
  requires: 'flags',
  tags: ['flags'],
  summary: 'List global flags (defaults for all projects).',
  description:
    'Names and values of the global flags, and of nothing else: flags of projects are not merged in.',
  usage: 'Call without arguments for all, or with a filter.',
  concise: {
    text: 'List global flags: the defaults for all projects.',
    arguments: { filter: 'Name or glob' },
  },
  examples: [
    { title: 'All global flags', arguments: {} },
    { title: 'Those whose names begin with beta-', arguments: { filter: 'beta-*' } },
  ],
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  errors: FLAG_STORE_ERRORS,
  security: 'Reads flags only. Keep no secrets in flags: whoever may call this reads them.',
  profile: { from: 'readonly' },
  specification: { answer: LIST, security: READS },
  input: toolArguments({ filter: Type.Optional(flagFilterField) }),
  output: listFlagsOutput,
  needs: { flags: ListFlagsHandler },
  run: ({ filter }, { flags }) => flags.handle({ scope: 'global', ...(filter !== undefined && { filter }) }),
});
