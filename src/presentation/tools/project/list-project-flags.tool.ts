// How a tool is written: ../README.md
import * as Type from 'typebox';
import { ListFlagsHandler } from '../../../application/flag/list-flags.js';
import { defineTool } from '../define-tool.js';
import { toolArguments } from '../tool-arguments.js';
import { FLAG_STORE_ERRORS, flagFilterField, listFlagsOutput } from './flag-arguments.js';
import { LIST, READS } from './flag-notes.js';

export const listProjectFlagsTool = defineTool({
  name: 'list_project_flags',
  version: '1.0.0',
  category: 'project',
  requires: 'flags',
  tags: ['flags'],
  summary: 'List the flags of this project.',
  description: 'Names and values of the flags in force in this project, or only of those it sets itself.',
  usage: 'Call without arguments for all, or with a filter.',
  concise: {
    text: 'List the flags that hold in this project.',
    arguments: { filter: 'Name or glob', active: 'false: only those the project sets itself' },
  },
  examples: [
    { title: 'Everything in force here', arguments: {} },
    {
      title: "Only the project's own flags whose names begin with beta-",
      arguments: { filter: 'beta-*', active: false },
    },
  ],
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  errors: FLAG_STORE_ERRORS,
  security: 'Reads flags only. Keep no secrets in flags: whoever may call this reads them.',
  profile: { from: 'readonly' },
  specification: { answer: LIST, security: READS },
  input: toolArguments({
    filter: Type.Optional(flagFilterField),
    active: Type.Optional(
      Type.Boolean({
        description:
          'true: what is in force, global flags included where the project sets none; false: only what the project sets itself.',
        default: true,
      }),
    ),
  }),
  output: listFlagsOutput,
  needs: { flags: ListFlagsHandler },
  run: ({ filter, active }, { flags }) =>
    flags.handle({
      scope: 'project',
      ...(filter !== undefined && { filter }),
      ...(active !== undefined && { active }),
    }),
});
