// How a tool is written: ../README.md
import * as Type from 'typebox';
import { FileCalls } from '../../../application/file/file-call.js';
import { countRefused, ReadFilesHandler } from '../../../application/file/read-files.js';
import { readsAllowedOf } from '../../../application/permission/argument-requests.js';
import { Result } from '../../../domain/result.js';
import { showFiles } from '../../answers/file-texts.js';
import { defineTool } from '../define-tool.js';
import { toolArguments } from '../tool-arguments.js';
import { PERMISSION_ERRORS } from './file-arguments.js';
import { READ_ERRORS, READS } from './file-notes.js';

export const readFilesTool = defineTool({
  name: 'read_files',
  version: '1.1.0',
  title: 'Read files',
  category: 'file',
  tags: ['read'],
  summary: 'Read several text files at once.',
  description:
    'Answers with one entry a path, in the order asked. A file that cannot be read, or that the policy denies, is an entry with an error and does not hinder the others; where the policy denies every one of them, the call is refused. The room of the answer is shared among the files.',
  usage: 'Call with up to 50 paths of text files. Use read_file for images, other encodings and parts.',
  concise: { text: 'Read several text files in one call.', arguments: { paths: 'Files to read' } },
  examples: [{ title: 'Two files in one call', arguments: { paths: ['README.md', 'src/index.ts'] } }],
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  errors: PERMISSION_ERRORS,
  security:
    'Shows the content of files that the policy allows, each checked as by read_file; the others are never opened.',
  profile: { from: 'readonly', paths: true },
  specification: {
    answer: [
      { path: 'README.md', success: true, content: '# Castellan\n', next_offset: 120 },
      {
        path: 'docs/gone.md',
        success: false,
        error: 'There is nothing at docs/gone.md.',
        error_type: 'NotFoundError',
      },
    ],
    errors: READ_ERRORS,
    security: READS,
  },
  input: toolArguments({
    paths: Type.Array(Type.String({ minLength: 1 }), {
      description: 'The files to read, 1 to 50. Relative to the workspace, or absolute.',
      minItems: 1,
      maxItems: 50,
      examples: [['README.md', 'package.json']],
    }),
  }),
  output: Type.Array(
    Type.Object({
      path: Type.String({ description: 'The path as it was given.' }),
      success: Type.Boolean({ description: 'Whether this file was read.' }),
      content: Type.Optional(Type.String({ description: 'Its text.' })),
      next_offset: Type.Optional(
        Type.Integer({ description: 'Present when the text was cut: the offset to read on with read_file.' }),
      ),
      hint: Type.Optional(
        Type.String({
          description: 'What is not shown within these lines, and how to get it.',
          examples: [
            'Line 3 has 9120 characters, as minified or encoded text has; 2000 of each long line are shown. Read on in it with offset 2 and column 2000; search_content tells the column of a place in it.',
          ],
        }),
      ),
      error: Type.Optional(Type.String({ description: 'Why it was not read.' })),
      error_type: Type.Optional(Type.String({ description: 'The kind of failure.' })),
    }),
    { description: 'One entry a path, in the order asked.' },
  ),
  show: showFiles,
  needs: { calls: FileCalls, reader: ReadFilesHandler },
  permissions: readsAllowedOf('paths'),
  capabilities: ['read'],
  run: async ({ paths }, { calls, reader }, context) => {
    const entries = await reader.handle(paths, calls.open(context));
    return Result.ok(entries, { refused: countRefused(entries) });
  },
});
