// How a tool is written: ../README.md
import * as Type from 'typebox';
import { FileCalls } from '../../../application/file/file-call.js';
import { FindEntriesHandler } from '../../../application/file/find-entries.js';
import { reads } from '../../../application/permission/argument-requests.js';
import type { WalkEntry } from '../../../application/ports/file/safe-file-system.js';
import { isoTime } from '../../../domain/file/iso-time.js';
import { Result } from '../../../domain/result.js';
import { showListing } from '../../answers/listing-text.js';
import { MORE } from '../../answers/server-notes.js';
import { defineTool } from '../define-tool.js';
import { oneOf, toolArguments } from '../tool-arguments.js';
import {
  cursorArgument,
  folderArgument,
  ignoreArgument,
  LONG_WORK,
  limitArgument,
  PERMISSION_ERRORS,
} from './file-arguments.js';
import { MODIFIED, NEXT, PATH_ERRORS, READS } from './file-notes.js';

export const listDirectoryTool = defineTool({
  name: 'list_directory',
  version: '1.1.0',
  title: 'List directory',
  category: 'file',
  tags: ['read'],
  summary: 'List what is in a folder.',
  description:
    'Answers with the entries of a folder in the order of their names, a folder before its content when recursive. What the policy hides is not there. Links are shown as links and not followed.',
  usage: 'Call without arguments for the workspace itself, or with a path; recursive goes down.',
  concise: {
    text: 'List a folder: names, sizes; recursive gives a tree. Use search_files to find a name.',
    arguments: {
      path: 'Folder to list',
      recursive: 'Folders below, too',
      max_depth: 'Levels, when recursive; absent: all',
      pattern: 'Glob for names',
      ignore: 'Hide .git and what .gitignore names, when recursive',
      limit: 'Entries at most',
      cursor: 'From the answer before',
    },
  },
  examples: [
    { title: 'The workspace itself', arguments: {} },
    {
      title: 'TypeScript files two levels down',
      arguments: { path: 'src', recursive: true, max_depth: 2, pattern: '*.ts' },
    },
  ],
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  errors: [...PERMISSION_ERRORS, { type: 'NotADirectoryError', when: 'the path is no folder' }],
  security: 'Shows names, sizes and times of what the policy lets this tool read, and nothing else.',
  profile: { from: 'readonly', paths: true },
  specification: {
    arguments: NEXT,
    answer: [{ name: 'index.ts', path: 'src/index.ts', type: 'file', size: 512, modified: MODIFIED }],
    errors: PATH_ERRORS,
    security: {
      ...READS,
      secrets:
        'Names that the policy hides are left out, and nothing tells that they were. Names themselves may be telling: deny the folder where they are.',
    },
  },
  input: toolArguments({
    path: folderArgument('The folder to list.'),
    recursive: Type.Optional(
      Type.Boolean({ description: 'List what is in the folders below, too.', default: false }),
    ),
    max_depth: Type.Optional(
      Type.Integer({
        description: 'How many levels down when recursive, at least 1; all of them where absent.',
        minimum: 1,
        examples: [2],
      }),
    ),
    pattern: Type.Optional(
      Type.String({
        description:
          'Only entries whose name matches this glob; with a slash, whose path below the folder does.',
        minLength: 1,
        maxLength: 4096,
        examples: ['*.ts'],
      }),
    ),
    ignore: ignoreArgument(', when recursive'),
    limit: limitArgument('entries', 1000, 10_000),
    cursor: cursorArgument,
  }),
  output: Type.Array(
    Type.Object({
      name: Type.String({ description: 'The name of the entry.' }),
      path: Type.String({ description: 'Its path, relative to the workspace.' }),
      type: oneOf(['file', 'directory', 'symlink', 'special'], {
        description: 'special: a pipe, device or socket.',
      }),
      size: Type.Union([Type.Integer(), Type.Null()], { description: 'Bytes of a file; null for others.' }),
      modified: Type.Union([Type.String(), Type.Null()], {
        description: 'When it was last changed, ISO 8601.',
        format: 'date-time',
      }),
    }),
    { description: 'The entries, by name within each folder.' },
  ),
  show: showListing,
  budget: LONG_WORK,
  needs: { calls: FileCalls, finder: FindEntriesHandler },
  permissions: reads('path', '.'),
  capabilities: ['read'],
  run: async (args, { calls, finder }, context) => {
    const { path = '.', recursive = false, max_depth, pattern, ignore = true, limit = 1000, cursor } = args;
    const maxDepth = recursive ? max_depth : 1;
    const found = await finder.handle(
      {
        path,
        ignore: recursive && ignore,
        times: true,
        limit,
        ...(maxDepth !== undefined && { maxDepth }),
        ...(pattern !== undefined && { pattern }),
        ...(cursor !== undefined && { cursor }),
        show: listEntry,
      },
      calls.open(context),
    );
    if (!found.success) return found;
    const { items, page } = found.value;
    return Result.ok(items, page === undefined ? {} : { page, instruction: MORE });
  },
});

function listEntry({ name, kind, times }: WalkEntry, path: string) {
  const size = times !== undefined && kind === 'file' ? times.size : null;
  const modified = times === undefined ? null : isoTime(times.modifiedMs);
  return { name, path, type: kind, size, modified };
}
