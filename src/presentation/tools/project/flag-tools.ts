import * as Type from 'typebox';
import { GetFlagHandler } from '../../../application/flag/get-flag.js';
import { SetFlagHandler } from '../../../application/flag/set-flag.js';
import type { ToolDefinition } from '../../../application/tool/tool-definition.js';
import type { FlagScope } from '../../../domain/flag/flag.js';
import { defineTool } from '../define-tool.js';
import { toolArguments } from '../tool-arguments.js';
import {
  FLAG_STORE_ERRORS,
  flagNameField,
  flagValueField,
  getFlagOutput,
  setFlagOutput,
} from './flag-arguments.js';
import { READS, SETS } from './flag-notes.js';

/** The texts in which the tools of the two scopes differ. */
interface FlagToolWords {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly concise: string;
}

export function getFlagTool(
  scope: FlagScope,
  {
    concise,
    reasons,
    meaning,
    ...words
  }: FlagToolWords & {
    readonly reasons: readonly string[];
    readonly meaning: string;
  },
): ToolDefinition {
  return defineTool({
    ...words,
    version: '1.0.0',
    category: 'project',
    requires: 'flags',
    tags: ['flags'],
    usage: 'Call with the name of the flag. An absent flag is an answer, not an error.',
    concise: { text: concise, arguments: { flag: 'Name of the flag' } },
    examples: [{ title: 'Is dark mode on?', arguments: { flag: 'dark-mode' } }],
    effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    errors: FLAG_STORE_ERRORS,
    security: 'Reads flags only. Keep no secrets in flags: whoever may call this reads them.',
    profile: { from: 'readonly' },
    specification: { answer: { flag: 'dark-mode', value: true, reason: reasons[0] }, security: READS },
    input: toolArguments({ flag: flagNameField }),
    output: getFlagOutput(reasons, meaning),
    needs: { flags: GetFlagHandler },
    run: ({ flag }, { flags }) => flags.handle({ scope, flag }),
  });
}

export function setFlagTool(
  scope: FlagScope,
  { concise, changes, ...words }: FlagToolWords & { readonly changes: string },
): ToolDefinition {
  return defineTool({
    ...words,
    version: '1.0.0',
    category: 'project',
    requires: 'flags',
    tags: ['flags'],
    usage: 'Call with a name for true, with a value for something else, with null to remove the flag.',
    concise: {
      text: concise,
      arguments: { flag: 'Name of the flag', value: 'null removes the flag' },
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
    security: `Changes ${changes} only. A flag may switch tools and documents on and off: a policy that must not be changed so leaves this tool out.`,
    profile: { from: 'baseline' },
    specification: { answer: { flag: 'dark-mode', value: true }, security: SETS },
    input: toolArguments({ flag: flagNameField, value: Type.Optional(flagValueField) }),
    output: setFlagOutput,
    needs: { flags: SetFlagHandler },
    run: ({ flag, value = true }, { flags }) => flags.handle({ scope, flag, value }),
  });
}
