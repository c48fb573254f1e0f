// How a tool is written: ../README.md
import * as Type from 'typebox';
import { FileCalls } from '../../../application/file/file-call.js';
import { fileFailure } from '../../../application/file/file-failure.js';
import { writes } from '../../../application/permission/argument-requests.js';
import { SafeFileSystem } from '../../../application/ports/file/safe-file-system.js';
import { Result } from '../../../domain/result.js';
import { showMade } from '../../answers/file-texts.js';
import { defineTool } from '../define-tool.js';
import { toolArguments } from '../tool-arguments.js';
import { PERMISSION_ERRORS, pathArgument } from './file-arguments.js';
import { CHANGES, WRITE_ERRORS } from './file-notes.js';

export const createDirectoryTool = defineTool({
  name: 'create_directory',
  version: '1.0.0',
  title: 'Create directory',
  category: 'file',
  tags: ['write'],
  summary: 'Make a folder.',
  description: 'Makes a folder and, by default, those above it. One that is there already is no error then.',
  usage: 'Call with a path; with parents false the folder above must be there and the folder must not.',
  concise: {
    text: 'Create a folder, with those above it.',
    arguments: { path: 'Folder to create', parents: 'Missing folders above it, too' },
  },
  examples: [{ title: 'A folder with those above it', arguments: { path: 'output/reports/2026' } }],
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  errors: [
    ...PERMISSION_ERRORS,
    { type: 'AlreadyExistsError', when: 'parents is false and it is there' },
    { type: 'NotADirectoryError', when: 'a file is in the way' },
  ],
  security: 'Makes folders where the policy lets this tool write.',
  profile: { from: 'workspace', paths: true },
  specification: {
    answer: { path: 'output/reports/2026', created: 3 },
    errors: WRITE_ERRORS,
    security: { ...CHANGES, execution: 'None.', secrets: 'None are touched.' },
  },
  input: toolArguments({
    path: pathArgument('The folder to make.', 'output/reports'),
    parents: Type.Optional(
      Type.Boolean({
        description: 'Make the folders above it, and accept one that is there.',
        default: true,
      }),
    ),
  }),
  output: Type.Object({
    path: Type.String({ description: 'The folder, relative to the workspace.' }),
    created: Type.Integer({ description: 'How many folders were made; 0 when it was there.' }),
  }),
  show: showMade,
  needs: { calls: FileCalls, files: SafeFileSystem },
  permissions: writes('path'),
  capabilities: ['write'],
  run: async ({ path, parents = true }, { calls, files }, context) => {
    const call = calls.open(context);
    const target = call.resolve(path);
    const made = await files.makeDirectory(target, { parents }, call.access);
    return made.success
      ? Result.ok({ path: call.show(target), created: made.value })
      : fileFailure(made.error);
  },
});
