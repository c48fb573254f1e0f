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

export const movePathTool = defineTool({
  name: 'move_path',
  version: '1.0.0',
  title: 'Move path',
  category: 'file',
  tags: ['write'],
  summary: 'Move a file or folder.',
  description:
    'Moves or renames a file, a folder with all it holds, or a link itself. In one step on one disk; to another disk it is copied and then removed.',
  usage: 'Call with the path as it is and the path as it shall be.',
  concise: {
    text: 'Move or rename a file or folder.',
    arguments: {
      source: 'What to move',
      destination: 'The new path itself, not its folder',
      overwrite: 'Replace what is there',
    },
  },
  examples: [{ title: 'A file renamed', arguments: { source: 'README.md', destination: 'READ-ME.md' } }],
  effects: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  errors: [
    ...PERMISSION_ERRORS,
    { type: 'AlreadyExistsError', when: 'something is at the destination and overwrite is false' },
  ],
  security:
    'Needs to read and write at the source and to write at the destination, for every entry of a folder. Protected files neither move nor are replaced.',
  profile: { from: 'workspace', paths: true },
  specification: {
    answer: TREE,
    errors: [...WRITE_ERRORS, { type: 'NotEmptyError', when: 'a folder at the destination is not empty' }],
    security: {
      ...CHANGES,
      secrets: 'A file that may not be read cannot be moved to where it could be.',
    },
  },
  input: toolArguments({
    source: pathArgument('What to move.', 'README.md'),
    destination: pathArgument('The new path itself, not the folder to put it into.', 'docs/README.md'),
    overwrite: Type.Optional(
      Type.Boolean({
        description: 'Replace a file, or an empty folder, at the destination.',
        default: false,
      }),
    ),
  }),
  output: changedTree,
  show: showTransfer('Moved'),
  budget: LONG_WORK,
  needs: { calls: FileCalls, files: SafeFileSystem },
  permissions: allOf(reads('source'), writes('source'), writes('destination')),
  capabilities: ['write'],
  run: async ({ source, destination, overwrite = false }, { calls, files }, context) => {
    const call = calls.open(context);
    const [from, to] = [call.resolve(source), call.resolve(destination)];
    const changed = await files.move(from, to, { overwrite }, call.access);
    if (!changed.success) return fileFailure(changed.error);
    return Result.ok({ source: call.show(from), destination: call.show(to), ...changed.value });
  },
});
