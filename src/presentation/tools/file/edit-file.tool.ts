// How a tool is written: ../README.md
import * as Type from 'typebox';
import { EditFileHandler } from '../../../application/file/edit-file.js';
import { FileCalls } from '../../../application/file/file-call.js';
import { allOf, reads, writes } from '../../../application/permission/argument-requests.js';
import { Result } from '../../../domain/result.js';
import { invalidInput, type ToolError, toolFailure } from '../../../domain/tool/tool-error.js';
import { ToolResult } from '../../../domain/tool/tool-result.js';
import { shortDiff } from '../../answers/short-diff.js';
import { defineTool } from '../define-tool.js';
import { toolArguments } from '../tool-arguments.js';
import { PERMISSION_ERRORS, pathArgument } from './file-arguments.js';
import { CHANGES, WRITE_ERRORS } from './file-notes.js';

export const editFileTool = defineTool({
  name: 'edit_file',
  version: '1.1.0',
  title: 'Edit file',
  category: 'file',
  tags: ['write'],
  summary: 'Change places of a text file.',
  description:
    'Replaces exact pieces of text, one after another, all of them or none. Line endings, byte order mark and encoding stay as they are; an edit written with \\n fits a file with \\r\\n. A piece that does not occur is answered with the most similar place.',
  usage: 'Call with a path and the edits; dry_run shows what would change and changes nothing.',
  concise: {
    text: 'Replace exact pieces of text in a file and get the diff. Use this to change a file; write_file for new or whole files.',
    arguments: {
      path: 'File to change',
      edits: 'Applied in order; or give one old_text and new_text',
      'edits[].old_text': 'Exactly as in the file, once',
      'edits[].new_text': 'Empty removes it',
      'edits[].replace_all': 'Every occurrence',
      old_text: 'Instead of edits',
      new_text: 'With old_text',
      replace_all: 'With old_text: every occurrence',
      dry_run: 'Only show the diff',
    },
  },
  examples: [
    {
      title: 'What one replacement would change',
      arguments: { path: 'src/index.ts', edits: [{ old_text: 'one', new_text: 'two' }], dry_run: true },
    },
    {
      title: 'Every occurrence replaced',
      arguments: { path: 'src/index.ts', edits: [{ old_text: 'one', new_text: 'two', replace_all: true }] },
    },
  ],
  effects: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  errors: [
    ...PERMISSION_ERRORS,
    { type: 'EditError', when: 'a piece does not occur, or occurs more than once without replace_all' },
    { type: 'EncodingError', when: 'the file is no text' },
    { type: 'RedactedTextError', when: 'an edit holds a placeholder of something that was hidden' },
  ],
  security:
    'Changes files that the policy lets this tool read and write, under a lock, so that no other edit is lost.',
  outputText: 'What changed, as a unified diff.',
  profile: { from: 'workspace', paths: true },
  specification: {
    answer:
      '--- src/index.ts\n+++ src/index.ts\n@@ -1 +1 @@\n-export const one = 1;\n+export const two = 1;\n',
    errors: [...WRITE_ERRORS, { type: 'IsADirectoryError', when: 'the path is a folder' }],
    security: {
      ...CHANGES,
      changes: `${CHANGES.changes} A lock keeps two edits of one file from losing each other’s work.`,
    },
  },
  input: toolArguments({
    path: pathArgument('The file to change.', 'src/index.ts'),
    edits: Type.Optional(
      Type.Array(
        Type.Object(
          {
            old_text: Type.String({
              description: 'The text to replace, exactly as in the file; it must occur once.',
              minLength: 1,
            }),
            new_text: Type.String({ description: 'What takes its place; empty to remove it.' }),
            replace_all: Type.Optional(
              Type.Boolean({ description: 'Replace every occurrence, and not one only.', default: false }),
            ),
          },
          { additionalProperties: false },
        ),
        { description: 'The replacements, applied in order, 1 to 100.', minItems: 1, maxItems: 100 },
      ),
    ),
    old_text: Type.Optional(
      Type.String({
        description: 'Instead of edits: the text of a single replacement, exactly as in the file.',
        minLength: 1,
        examples: ['const a = 1;'],
      }),
    ),
    new_text: Type.Optional(
      Type.String({
        description: 'With old_text: what takes its place; empty to remove it.',
        examples: ['const a = 2;'],
      }),
    ),
    replace_all: Type.Optional(
      Type.Boolean({
        description: 'With old_text: replace every occurrence, and not one only.',
        default: false,
      }),
    ),
    dry_run: Type.Optional(
      Type.Boolean({ description: 'Show the diff and leave the file as it is.', default: false }),
    ),
  }),
  needs: { calls: FileCalls, editor: EditFileHandler },
  permissions: allOf(reads('path'), writes('path')),
  capabilities: ['write'],
  run: async (
    { path, edits, old_text, new_text, replace_all, dry_run = false },
    { calls, editor },
    context,
  ) => {
    const given = chosenEdits(edits, { old_text, new_text, replace_all });
    if (!given.success) return given;
    const changes = given.value.map(({ old_text, new_text, replace_all = false }) => ({
      oldText: old_text,
      newText: new_text,
      replaceAll: replace_all,
    }));
    const edited = await editor.handle({ path, edits: changes, dryRun: dry_run }, calls.open(context));
    if (!edited.success) return edited;
    const { text, note } = shortDiff(edited.value.diff);
    const { replaced } = edited.value;
    const counted = replaced > changes.length ? `${replaced} places replaced.` : undefined;
    const instruction = [
      counted,
      note,
      dry_run ? 'Nothing was written: this was a dry run.' : undefined,
    ].filter((part) => part !== undefined);
    return Result.ok(
      ToolResult.text(text),
      instruction.length === 0 ? {} : { instruction: instruction.join(' ') },
    );
  },
});

interface GivenEdit {
  readonly old_text: string;
  readonly new_text: string;
  readonly replace_all?: boolean;
}

/** Agents used to other servers send one pair instead of a list. */
function chosenEdits(
  edits: readonly GivenEdit[] | undefined,
  pair: { readonly [Key in keyof GivenEdit]: GivenEdit[Key] | undefined },
): Result<readonly GivenEdit[], ToolError> {
  const { old_text, new_text, replace_all } = pair;
  if (old_text === undefined && new_text === undefined)
    return edits === undefined ? wrongEdits('edits is required') : Result.ok(edits);
  if (edits !== undefined) return wrongEdits('edits and old_text exclude each other');
  if (old_text === undefined) return wrongEdits('old_text is required with new_text', 'old_text');
  if (new_text === undefined) return wrongEdits('new_text is required with old_text', 'new_text');
  return Result.ok([{ old_text, new_text, ...(replace_all !== undefined && { replace_all }) }]);
}

function wrongEdits(issue: string, parameter_name = 'edits'): Result<never, ToolError> {
  const expected = 'edits: [{old_text, new_text}], or one old_text and new_text';
  return toolFailure(
    invalidInput([{ parameter_name, issue, expected, received: 'nothing', hint: `Pass ${expected}.` }]),
  );
}
