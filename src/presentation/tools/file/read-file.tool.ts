// How a tool is written: ../README.md
import * as Type from 'typebox';
import { FileCalls } from '../../../application/file/file-call.js';
import { ReadFileHandler } from '../../../application/file/read-file.js';
import { reads } from '../../../application/permission/argument-requests.js';
import { Result } from '../../../domain/result.js';
import { ToolResult } from '../../../domain/tool/tool-result.js';
import { defineTool } from '../define-tool.js';
import { toolArguments } from '../tool-arguments.js';
import { PERMISSION_ERRORS, pathArgument } from './file-arguments.js';
import { READ_ERRORS, READS } from './file-notes.js';

export const readFileTool = defineTool({
  name: 'read_file',
  version: '1.1.0',
  title: 'Read file',
  category: 'file',
  tags: ['read'],
  summary: 'Read a file.',
  description:
    'Answers with the text of a file, or with an image or a sound as such. Long files come in parts: the answer then says with which offset to read on. Lines of more than 2,000 characters are cut, and column reads on in them; notebooks are shown as their cells, without images. Use search_content to find a place in a large file first.',
  usage: 'Call with a path; add offset and limit to get some lines only.',
  concise: {
    text: 'Read a text file, image or sound. Long files come in parts; the answer says how to go on.',
    arguments: {
      path: 'Relative to the workspace, or absolute',
      encoding: 'Such as utf-16le, windows-1252',
      offset: 'Lines to skip; -5 is the last five',
      limit: 'Lines to return; absent: as many as fit',
      column: 'Characters to skip in a long line',
    },
  },
  examples: [
    { title: 'A whole file', arguments: { path: 'README.md' } },
    { title: 'Lines 11 to 30', arguments: { path: 'src/index.ts', offset: 10, limit: 20 } },
    { title: 'The last 5 lines', arguments: { path: 'src/index.ts', offset: -5 } },
    { title: 'Within a long line', arguments: { path: 'dist/app.min.js', column: 2000 } },
  ],
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  errors: [
    ...PERMISSION_ERRORS,
    { type: 'IsADirectoryError', when: 'the path is a folder' },
    {
      type: 'BinaryFileError',
      when: 'it is no text, image or sound; the answer says what it is and how large',
    },
    { type: 'EncodingError', when: 'its bytes are not of that encoding; the answer names the likely one' },
    { type: 'SpecialFileError', when: 'it is a pipe, a device, a socket or a file of the kernel' },
  ],
  security:
    'Shows the content of files that the policy allows. Links are followed one by one and checked again; pipes, devices and kernel files are never opened.',
  outputText: 'The text as it is, or an image or audio block; a second block says how to read on.',
  profile: { from: 'readonly', paths: true },
  specification: {
    answer: '# Castellan\n\nAn MCP server under a permission policy.\n',
    errors: READ_ERRORS,
    security: READS,
  },
  input: toolArguments({
    path: pathArgument('The file to read.', 'src/index.ts'),
    encoding: Type.Optional(
      Type.String({
        description:
          'How its bytes are text: utf-8, utf-16le, windows-1252, shift_jis or another name of the WHATWG list. A byte order mark wins over it.',
        minLength: 1,
        maxLength: 40,
        default: 'utf-8',
      }),
    ),
    offset: Type.Optional(
      Type.Integer({
        description: 'Lines to skip; a negative number counts from the end, so that -5 is the last five.',
        default: 0,
        examples: [100],
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        description: 'How many lines to return, at least 1; as many as fit where absent.',
        minimum: 1,
        examples: [50],
      }),
    ),
    column: Type.Optional(
      Type.Integer({
        description:
          'Characters to skip in the line at offset, to read a long line in parts. With limit, in each line; a notebook is shown as its JSON then.',
        minimum: 0,
        examples: [2000],
      }),
    ),
  }),
  needs: { calls: FileCalls, reader: ReadFileHandler },
  permissions: reads('path'),
  capabilities: ['read'],
  run: async (query, { calls, reader }, context) => {
    const read = await reader.handle(query, calls.open(context));
    if (!read.success) return read;
    const content = read.value;
    if (content.kind === 'text') {
      const { text, hint } = content;
      return Result.ok(ToolResult.text(text), hint === undefined ? {} : { instruction: hint });
    }
    const data = Buffer.from(content.bytes).toString('base64');
    return Result.ok(ToolResult[content.kind](data, content.mimeType));
  },
});
