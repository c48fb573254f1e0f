// How a tool is written: ../README.md
import * as Type from 'typebox';
import { FileCalls } from '../../../application/file/file-call.js';
import { FindEntriesHandler } from '../../../application/file/find-entries.js';
import { reads } from '../../../application/permission/argument-requests.js';
import { Result } from '../../../domain/result.js';
import { showPaths } from '../../answers/file-texts.js';
import { MORE } from '../../answers/server-notes.js';
import { defineTool } from '../define-tool.js';
import { toolArguments } from '../tool-arguments.js';
import {
  cursorArgument,
  folderArgument,
  ignoreArgument,
  LONG_WORK,
  limitArgument,
  PERMISSION_ERRORS,
  patternList,
} from './file-arguments.js';
import { NEXT, PATH_ERRORS, READS } from './file-notes.js';

export const searchFilesTool = defineTool({
  name: 'search_files',
  version: '1.1.0',
  title: 'Search files',
  category: 'file',
  tags: ['read', 'search'],
  summary: 'Find files and folders by name.',
  description:
    'Answers with the paths of files and folders, dotfiles too, whose name matches a glob at any depth; a pattern with a slash is matched against the end of the path, one that begins with ./ against the whole path below the folder. Use search_content to find text in files.',
  usage: 'Call with a pattern, and with a folder where the whole workspace is too much.',
  concise: {
    text: 'Find files and folders by name, at any depth.',
    arguments: {
      path: 'Folder to search',
      pattern: 'Glob, such as *.ts or src/*.ts',
      exclude: 'Globs to leave out',
      ignore: 'Skip .git and what .gitignore names',
      limit: 'Paths at most',
      cursor: 'From the answer before',
    },
  },
  examples: [
    { title: 'Every TypeScript file', arguments: { pattern: '*.ts' } },
    {
      title: 'By path, without tests',
      arguments: { path: 'src', pattern: '**/*.ts', exclude: ['*.test.ts'] },
    },
  ],
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  errors: [...PERMISSION_ERRORS, { type: 'NotADirectoryError', when: 'the path is no folder' }],
  security: 'Shows names of what the policy lets this tool read; hidden folders are not entered.',
  profile: { from: 'readonly', paths: true },
  specification: {
    arguments: NEXT,
    answer: ['src/index.ts', 'src/main.ts'],
    errors: PATH_ERRORS,
    security: {
      ...READS,
      secrets:
        'Paths that the policy hides are not found. Paths themselves may be telling: deny the folder where they are.',
    },
  },
  input: toolArguments({
    path: folderArgument('The folder to search in.'),
    pattern: Type.Optional(
      Type.String({
        description: 'A glob: * and ? within a name, ** across folders, {a,b}, [a-z]; every name by default.',
        minLength: 1,
        maxLength: 4096,
        default: '*',
        examples: ['*.ts'],
      }),
    ),
    exclude: patternList('Entries to leave out with what is below them.', 'dist'),
    ignore: ignoreArgument(''),
    limit: limitArgument('paths', 1000, 10_000),
    cursor: cursorArgument,
  }),
  output: Type.Array(Type.String({ description: 'A path, relative to the workspace.' }), {
    description: 'Paths in the order of their names, a folder before its content.',
  }),
  show: showPaths,
  budget: LONG_WORK,
  needs: { calls: FileCalls, finder: FindEntriesHandler },
  permissions: reads('path', '.'),
  capabilities: ['read'],
  run: async (args, { calls, finder }, context) => {
    const { path = '.', pattern = '*', exclude = [], ignore = true, limit = 1000, cursor } = args;
    const found = await finder.handle(
      {
        path,
        pattern: atAnyDepth(pattern),
        exclude,
        ignore,
        times: false,
        limit,
        ...(cursor !== undefined && { cursor }),
        show: (_entry, shown) => shown,
      },
      calls.open(context),
    );
    if (!found.success) return found;
    const { items, page } = found.value;
    return Result.ok(items, page === undefined ? {} : { page, instruction: MORE });
  },
});

/** Users who ask for `a/b.ts` rarely know what is above `a`. */
function atAnyDepth(pattern: string): string {
  return /^\.?\/|^\*\*\//.test(pattern) || !pattern.includes('/') ? pattern : `**/${pattern}`;
}
