// How a tool is written: ../README.md
import * as Type from 'typebox';
import { EditFileHandler } from '../../../application/file/edit-file.js';
import { FileCalls } from '../../../application/file/file-call.js';
import { allOf, reads, writes } from '../../../application/permission/argument-requests.js';
import { Result } from '../../../domain/result.js';
import { ToolResult } from '../../../domain/tool/tool-result.js';
import { defineTool } from '../define-tool.js';
import { toolArguments } from '../tool-arguments.js';
import { PERMISSION_ERRORS, pathArgument } from './file-arguments.js';

export const editFileTool = defineTool({
  name: 'edit_file',
  version: '1.0.0',
  title: 'Edit file',
  category: 'file',
  tags: ['write'],
  summary: 'Change places of a text file.',
  description:
    'Replaces exact pieces of text, one after another, all of them or none. Line endings, byte order mark and encoding stay as they are; an edit written with \\n fits a file with \\r\\n. A piece that does not occur is answered with the most similar place.',
  usage: 'Call with a path and the edits; dry_run shows what would change and changes nothing.',
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
  input: toolArguments({
    path: pathArgument('The file to change.', 'src/index.ts'),
    edits: Type.Array(
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
    dry_run: Type.Optional(
      Type.Boolean({ description: 'Show the diff and leave the file as it is.', default: false }),
    ),
  }),
  needs: { calls: FileCalls, editor: EditFileHandler },
  permissions: allOf(reads('path'), writes('path')),
  capabilities: ['write'],
  run: async ({ path, edits, dry_run = false }, { calls, editor }, context) => {
    const changes = edits.map(({ old_text, new_text, replace_all = false }) => ({
      oldText: old_text,
      newText: new_text,
      replaceAll: replace_all,
    }));
    const diff = await editor.handle({ path, edits: changes, dryRun: dry_run }, calls.open(context));
    if (!diff.success) return diff;
    return Result.ok(
      ToolResult.text(diff.value),
      dry_run ? { instruction: 'Nothing was written: this was a dry run.' } : {},
    );
  },
});
