import * as Type from 'typebox';
import type { ToolErrorNote } from '../../../application/tool/tool-definition.js';

const WHERE = 'Relative to the workspace, or absolute.';

export function pathArgument(what: string, example: string) {
  return Type.String({ description: `${what} ${WHERE}`, minLength: 1, examples: [example] });
}

export function folderArgument(what: string) {
  return Type.Optional(
    Type.String({ description: `${what} ${WHERE}`, minLength: 1, default: '.', examples: ['src'] }),
  );
}

export function patternList(what: string, example: string) {
  return Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), {
      description: `${what} Globs: * and ? within a name, ** across folders, {a,b}, [a-z].`,
      maxItems: 100,
      default: [],
      examples: [[example]],
    }),
  );
}

export const ignoreArgument = (when: string) =>
  Type.Optional(
    Type.Boolean({ description: `Leave out .git and what .gitignore files name${when}.`, default: true }),
  );

export function limitArgument(what: string, standard: number, maximum: number) {
  return Type.Optional(
    Type.Integer({
      description: `How many ${what} to return at most, 1 to ${maximum}.`,
      minimum: 1,
      maximum,
      default: standard,
    }),
  );
}

export const cursorArgument = Type.Optional(
  Type.String({
    description: 'page.next_cursor of the answer before, unchanged, to get what follows.',
    minLength: 1,
    maxLength: 32_768,
  }),
);

export const PERMISSION_ERRORS: readonly ToolErrorNote[] = [
  { type: 'PermissionDeniedError', when: 'the policy does not allow it, or a link leads to such a place' },
  { type: 'NotFoundError', when: 'there is nothing under that path' },
];

/** Searches of a large tree on a slow disk take longer than the usual ten seconds. */
export const LONG_WORK = { timeoutMs: 30_000 };
