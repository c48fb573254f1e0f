// How a tool is written: ../README.md
import * as Type from 'typebox';
import { DescribeFileHandler } from '../../../application/file/describe-file.js';
import { FileCalls } from '../../../application/file/file-call.js';
import { reads } from '../../../application/permission/argument-requests.js';
import { showFacts } from '../../answers/file-texts.js';
import { defineTool } from '../define-tool.js';
import { oneOf, toolArguments } from '../tool-arguments.js';
import { PERMISSION_ERRORS, pathArgument } from './file-arguments.js';
import { MODIFIED, PATH_ERRORS, READS } from './file-notes.js';

const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
const time = (description: string) =>
  Type.String({ description: `${description}, ISO 8601.`, format: 'date-time' });

export const fileInfoTool = defineTool({
  name: 'file_info',
  version: '1.1.0',
  title: 'File info',
  category: 'file',
  tags: ['read'],
  summary: 'Show what a file or folder is.',
  description:
    'Type, size, times and mode of a path, and for files their kind and encoding. A link is described itself and not what it leads to.',
  usage: 'Call with a path.',
  concise: {
    text: 'Show type, size, times, mode and encoding of a path.',
    arguments: { path: 'File, folder or link' },
  },
  examples: [
    { title: 'A file', arguments: { path: 'README.md' } },
    { title: 'A folder', arguments: { path: 'src' } },
  ],
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  errors: PERMISSION_ERRORS,
  security:
    'Shows facts about paths that the policy lets this tool read; a link to elsewhere keeps its target.',
  profile: { from: 'readonly', paths: true },
  specification: {
    answer: {
      path: 'README.md',
      type: 'file',
      size: 2048,
      modified: MODIFIED,
      created: '2026-01-02T08:00:00.000Z',
      accessed: '2026-03-15T10:00:00.000Z',
      mode: '0644',
      links: 1,
      mime: 'text/markdown',
      encoding: 'utf-8',
      link_target: null,
    },
    errors: PATH_ERRORS,
    security: {
      ...READS,
      secrets: 'Shows facts about a file, not its content; the target of a link only where that may be seen.',
    },
  },
  input: toolArguments({ path: pathArgument('The file, folder or link.', 'README.md') }),
  output: Type.Object({
    path: Type.String({ description: 'Its path, relative to the workspace.' }),
    type: oneOf(['file', 'directory', 'symlink', 'special'], {
      description: 'special: a pipe, device or socket.',
    }),
    size: Type.Integer({ description: 'Bytes.' }),
    modified: time('When its content last changed'),
    created: time('When it was made'),
    accessed: time('When it was last read'),
    mode: Type.String({ description: 'Permission bits in octal, such as 0644.' }),
    links: Type.Integer({ description: 'How many names it has.' }),
    mime: textOrNull('The kind of content of a file, such as text/plain; null where unknown.'),
    encoding: textOrNull('The encoding of a text file; null for others.'),
    link_target: textOrNull('Where a link leads, if that may be seen; null otherwise.'),
  }),
  show: showFacts,
  needs: { calls: FileCalls, describer: DescribeFileHandler },
  permissions: reads('path'),
  capabilities: ['read'],
  run: ({ path }, { calls, describer }, context) => describer.handle(path, calls.open(context)),
});
