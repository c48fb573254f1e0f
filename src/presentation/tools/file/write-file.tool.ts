// How a tool is written: ../README.md
import * as Type from 'typebox';
import { FileCalls } from '../../../application/file/file-call.js';
import { describeBytes } from '../../../application/file/text-part.js';
import { WriteFileHandler } from '../../../application/file/write-file.js';
import { writes } from '../../../application/permission/argument-requests.js';
import type { Written } from '../../../application/ports/file/safe-file-system.js';
import { Result } from '../../../domain/result.js';
import { ToolResult } from '../../../domain/tool/tool-result.js';
import { defineTool } from '../define-tool.js';
import { oneOf, toolArguments } from '../tool-arguments.js';
import { PERMISSION_ERRORS, pathArgument } from './file-arguments.js';
import { CHANGES, WRITE_ERRORS } from './file-notes.js';

export const writeFileTool = defineTool({
  name: 'write_file',
  version: '1.2.0',
  title: 'Write file',
  category: 'file',
  tags: ['write'],
  summary: 'Write a text file.',
  description:
    'Writes a whole file, adds to its end, or makes a new one. The file is replaced in one step and flushed to the disk: it has the old content or the new, whatever happens in between. Without content a new, empty file is made, and one that has content is left as it is. Use edit_file to change places of a file, copy_path to copy one.',
  usage: 'Call with a path and the content; mode says what happens to a file that is there.',
  concise: {
    text: 'Create or replace a whole file. Use edit_file to change parts.',
    arguments: {
      path: 'File to write',
      content: 'The whole new text',
      create_dirs: 'Create missing folders',
      mode: 'create fails if it exists',
    },
  },
  examples: [
    {
      title: 'A new or replaced file',
      arguments: { path: 'output/notes.txt', content: 'Hello\n', create_dirs: true },
    },
    {
      title: 'A line added at the end',
      arguments: { path: 'output/notes.txt', content: 'One more line\n', mode: 'append' },
    },
  ],
  effects: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  idempotency:
    'No. With mode overwrite a repeated call leaves the same content; append adds again, create refuses the second call.',
  errors: [
    ...PERMISSION_ERRORS,
    { type: 'AlreadyExistsError', when: 'mode is create and the file is there' },
    { type: 'RedactedTextError', when: 'the content holds a placeholder of something that was hidden' },
  ],
  security:
    'Changes files that the policy allows, never through a link that leads elsewhere. Files that somebody executes or obeys later (.git, .vscode and the like) are protected.',
  outputText:
    '`Written to ` followed by the path as it was given; where a file with content was replaced or emptied, how much it had.',
  profile: { from: 'workspace', paths: true },
  specification: {
    answer: 'Written to src/index.ts',
    errors: [
      ...WRITE_ERRORS,
      { type: 'IsADirectoryError', when: 'the path is a folder' },
      { type: 'EncodingError', when: 'the content has half of a surrogate pair' },
    ],
    security: CHANGES,
  },
  input: toolArguments({
    path: pathArgument('The file to write.', 'output/notes.txt'),
    content: Type.Optional(
      Type.String({
        description:
          'The text to write, as UTF-8. Without it a new file is empty; a file that has content is emptied only by an empty text.',
        examples: ['Hello\n'],
      }),
    ),
    create_dirs: Type.Optional(
      Type.Boolean({ description: 'Make the folders above it where they are missing.', default: false }),
    ),
    mode: Type.Optional(
      oneOf(['overwrite', 'create', 'append'], {
        description: 'overwrite replaces a file, create refuses one that is there, append adds to its end.',
        default: 'overwrite',
      }),
    ),
  }),
  needs: { calls: FileCalls, writer: WriteFileHandler },
  permissions: writes('path'),
  capabilities: ['write'],
  run: async ({ path, content, create_dirs = false, mode = 'overwrite' }, { calls, writer }, context) => {
    const written = await writer.handle(
      { path, ...(content !== undefined && { content }), mode, createParents: create_dirs },
      calls.open(context),
    );
    return written.success
      ? Result.ok(ToolResult.text(`Written to ${path}${lossOf(written.value)}`))
      : written;
  },
});

/** Reports what was replaced, so that a file replaced by mistake is noticed immediately. */
function lossOf({ bytes, replaced = 0 }: Written): string {
  if (replaced === 0) return '';
  return bytes === 0
    ? `: emptied, it had ${describeBytes(replaced)}`
    : `: replaced ${describeBytes(replaced)}`;
}
