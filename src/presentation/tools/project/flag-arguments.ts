import * as Type from 'typebox';
import { FLAG_NAME_PATTERN } from '../../../domain/flag/flag.js';
import { mapOf, oneOf } from '../tool-arguments.js';

const text = Type.String();
const texts = Type.Array(Type.String());
const map = mapOf(Type.Union([Type.String(), Type.Array(Type.String())]));

const VALUES =
  'true or false, a string, a list of strings, or a map of strings to strings or lists of strings';

export const flagNameField = Type.String({
  description: 'The name of the flag: 1 to 100 letters, digits, underscores and hyphens, no dots.',
  pattern: FLAG_NAME_PATTERN,
  examples: ['dark-mode'],
});

export const flagValueField = Type.Union([Type.Boolean(), text, texts, map, Type.Null()], {
  description: `What the flag is to hold: ${VALUES}. null removes the flag. true by default.`,
  default: true,
  examples: [true, 'blue', ['alpha', 'beta']],
});

export const flagFilterField = Type.String({
  description: 'Only flags of this name, or of names that match a glob of * and ?; all flags where absent.',
  minLength: 1,
  maxLength: 200,
  examples: ['beta-*'],
});

export const setFlagOutput = Type.Object({
  flag: Type.String({ description: 'The name of the flag.' }),
  value: Type.Union([Type.Boolean(), text, texts, map, Type.Null()], {
    description: 'What it holds now; null: it is not set any more in this scope.',
  }),
});

export function getFlagOutput(reasons: readonly string[], meaning: string) {
  return Type.Object({
    flag: Type.String({ description: 'The name of the flag.' }),
    value: Type.Union([Type.Boolean(), text, texts, map, Type.Null()], {
      description: `Its value: ${VALUES}; null where it is absent.`,
    }),
    reason: oneOf(reasons, { description: meaning }),
  });
}

export const listFlagsOutput = mapOf(Type.Union([Type.Boolean(), text, texts, map]), {
  description: 'Values by the name of the flag, sorted.',
});

export const FLAG_STORE_ERRORS = [
  { type: 'FlagStoreUnavailable', when: 'the file cannot be read or written, or Redis does not answer' },
  {
    type: 'FlagStoreCorrupt',
    when: 'somebody else wrote something that is no flag; nothing is overwritten until it is repaired',
  },
];
