// How a tool is written: ../README.md
import * as Type from 'typebox';
import { FileCalls } from '../../../application/file/file-call.js';
import { fileFailure } from '../../../application/file/file-failure.js';
import { deletes } from '../../../application/permission/argument-requests.js';
import { SafeFileSystem } from '../../../application/ports/file/safe-file-system.js';
import { Result } from '../../../domain/result.js';
import { showRemoved } from '../../answers/file-texts.js';
import { defineTool } from '../define-tool.js';
import { toolArguments } from '../tool-arguments.js';
import { LONG_WORK, PERMISSION_ERRORS, pathArgument } from './file-arguments.js';
import { CHANGES, WRITE_ERRORS } from './file-notes.js';

export const deletePathTool = defineTool({
  name: 'delete_path',
  version: '1.0.0',
  title: 'Delete path',
  category: 'file',
  tags: ['write'],
  summary: 'Delete a file or folder for good.',
  description:
    'Removes a file, a link itself, or a folder; there is no way back. A folder with anything in it needs recursive, and nothing is removed when some of it may not be.',
  usage: 'Call with a path and the literal explicit_action.',
  concise: {
    text: 'Delete a file or folder for good.',
    arguments: {
      path: 'What to delete',
      recursive: 'A folder with its content',
      explicit_action: 'Only if the user asked for this deletion',
    },
  },
  examples: [
    { title: 'One file', arguments: { path: 'README.md', explicit_action: 'DELETE_PATH' } },
    {
      title: 'A folder with its content',
      arguments: { path: 'src', recursive: true, explicit_action: 'DELETE_PATH' },
    },
  ],
  effects: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  explicitAction: 'DELETE_PATH',
  errors: [
    ...PERMISSION_ERRORS,
    { type: 'NotEmptyError', when: 'the folder is not empty and recursive is false' },
  ],
  security:
    'Removes what the policy lets this tool write, never what a link leads to. Protected files keep their whole folder.',
  profile: { from: 'workspace', paths: true, consent: 'ask' },
  specification: {
    answer: { path: 'output/old', files: 12, directories: 3 },
    errors: WRITE_ERRORS,
    security: {
      ...CHANGES,
      execution: 'None.',
      changes:
        'Removes for good, without a trash. A folder is looked through first, and nothing is removed when some of it may not be. The literal `explicit_action` and, by policy, the consent of a person stand before it.',
      secrets: 'Protected files are not removed, nor is the folder they are in.',
    },
  },
  input: toolArguments({
    path: pathArgument('What to delete.', 'output/old.txt'),
    recursive: Type.Optional(
      Type.Boolean({ description: 'Delete a folder with everything in it.', default: false }),
    ),
    explicit_action: Type.Literal('DELETE_PATH', {
      description: 'Exactly DELETE_PATH, set only when the user asked for this deletion.',
    }),
  }),
  output: Type.Object({
    path: Type.String({ description: 'What was deleted, relative to the workspace.' }),
    files: Type.Integer({ description: 'Files and links that are gone.' }),
    directories: Type.Integer({ description: 'Folders that are gone.' }),
  }),
  show: showRemoved,
  budget: LONG_WORK,
  needs: { calls: FileCalls, files: SafeFileSystem },
  permissions: deletes('path'),
  capabilities: ['write'],
  run: async ({ path, recursive = false }, { calls, files }, context) => {
    const call = calls.open(context);
    const target = call.resolve(path);
    const removed = await files.remove(target, { recursive }, call.access);
    if (!removed.success) return fileFailure(removed.error);
    return Result.ok({
      path: call.show(target),
      files: removed.value.files,
      directories: removed.value.directories,
    });
  },
});
