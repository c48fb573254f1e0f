// How a tool is written: ../README.md
import * as Type from 'typebox';
import { FileCalls } from '../../../application/file/file-call.js';
import { fileFailure } from '../../../application/file/file-failure.js';
import { allOf, reads, writes } from '../../../application/permission/argument-requests.js';
import { SafeFileSystem } from '../../../application/ports/file/safe-file-system.js';
import { Result } from '../../../domain/result.js';
import { showTransfer } from '../../answers/file-texts.js';
import { defineTool } from '../define-tool.js';
import { toolArguments } from '../tool-arguments.js';
import { changedTree } from './changed-tree.js';
import { LONG_WORK, PERMISSION_ERRORS, pathArgument } from './file-arguments.js';
import { CHANGES, TREE, WRITE_ERRORS } from './file-notes.js';

export const copyPathTool = defineTool({
  name: 'copy_path',
  version: '1.0.0',
  title: 'Copy path',
  category: 'file',
  tags: ['write'],
  summary: 'Copy a file or folder.',
  description:
    'Copies a file, or a folder with all that may be read in it; links in it are copied as links. Use it instead of reading a file and writing it again.',
  usage: 'Call with the path to copy and the path of the copy.',
  concise: {
    text: 'Copy a file, or a folder with everything in it.',
    arguments: {
      source: 'What to copy',
      destination: 'The new path itself, not its folder',
      overwrite: 'Replace what is there',
    },
  },
  examples: [
    { title: 'A copy beside the file', arguments: { source: 'README.md', destination: 'README.copy.md' } },
  ],
  effects: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  errors: [
    ...PERMISSION_ERRORS,
    { type: 'AlreadyExistsError', when: 'something is at the destination and overwrite is false' },
  ],
  security:
    'Needs to read at the source and to write at the destination, for every entry of a folder. What may not be read is left out and counted.',
  profile: { from: 'workspace', paths: true },
  specification: {
    answer: TREE,
    errors: [
      ...WRITE_ERRORS,
      { type: 'IsADirectoryError', when: 'a folder is where a file would be written' },
    ],
    security: {
      ...CHANGES,
      secrets:
        'What may not be read is not copied, so a copy cannot bring a secret into the open; it is counted in `skipped`.',
    },
  },
  input: toolArguments({
    source: pathArgument('What to copy.', 'README.md'),
    destination: pathArgument('The new path itself, not the folder to put it into.', 'docs/README.md'),
    overwrite: Type.Optional(
      Type.Boolean({
        description: 'Replace files at the destination, and put what is in a folder into one that is there.',
        default: false,
      }),
    ),
  }),
  output: changedTree,
  show: showTransfer('Copied'),
  budget: LONG_WORK,
  needs: { calls: FileCalls, files: SafeFileSystem },
  permissions: allOf(reads('source'), writes('destination')),
  capabilities: ['write'],
  run: async ({ source, destination, overwrite = false }, { calls, files }, context) => {
    const call = calls.open(context);
    const [from, to] = [call.resolve(source), call.resolve(destination)];
    const changed = await files.copy(from, to, { overwrite }, call.access);
    if (!changed.success) return fileFailure(changed.error);
    return Result.ok({ source: call.show(from), destination: call.show(to), ...changed.value });
  },
});
