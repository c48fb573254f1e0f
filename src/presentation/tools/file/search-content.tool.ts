// How a tool is written: ../README.md
import * as Type from 'typebox';
import { FileCalls } from '../../../application/file/file-call.js';
import { SearchContentHandler } from '../../../application/file/search-content.js';
import { reads } from '../../../application/permission/argument-requests.js';
import { Result } from '../../../domain/result.js';
import { showMatches } from '../../answers/matches-text.js';
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
  patternList,
} from './file-arguments.js';
import { NEXT, READ_ERRORS, READS } from './file-notes.js';

const lines = (description: string) => Type.Array(Type.String(), { description });

export const searchContentTool = defineTool({
  name: 'search_content',
  version: '1.0.0',
  title: 'Search content',
  category: 'file',
  tags: ['read', 'search'],
  summary: 'Find lines of text in files.',
  description:
    'Answers with the lines that match a regular expression (RE2 syntax) or a plain text, with their place, in the order of the paths. Binaries are passed over. Files that may not be read are neither opened nor shown.',
  usage: 'Call with a query; literal takes it as plain text, include and exclude choose files.',
  concise: {
    text: 'Find lines in files by regular expression, as grep does. Use search_files for names.',
    arguments: {
      path: 'Folder or file to search',
      query: 'RE2 expression',
      literal: 'Take query as plain text',
      case: 'smart: sensitive if query has capitals',
      include: 'Globs of files',
      exclude: 'Globs to leave out',
      ignore: 'Skip .git and what .gitignore names',
      context: 'Lines around a match',
      limit: 'Matches at most',
      cursor: 'From the answer before',
    },
  },
  examples: [
    { title: 'Functions by an expression', arguments: { query: 'function \\w+\\(', include: ['*.ts'] } },
    {
      title: 'A plain text with two lines around it',
      arguments: { query: 'one', literal: true, context: 2 },
    },
  ],
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  errors: [...PERMISSION_ERRORS, { type: 'InvalidQueryError', when: 'the query is no expression of RE2' }],
  security:
    'Shows lines of files that the policy lets this tool read, each read through the same guards as read_file. Expressions take linear time.',
  profile: { from: 'readonly', paths: true },
  specification: {
    arguments: NEXT,
    answer: [
      {
        path: 'src/index.ts',
        line: 12,
        column: 8,
        text: 'export function start() {',
        before: ['', '/** Starts. */'],
        after: ['  return 1;', '}'],
      },
    ],
    errors: READ_ERRORS,
    security: {
      ...READS,
      execution: 'None: expressions are RE2 and take linear time, so that no expression can hang the server.',
    },
  },
  input: toolArguments({
    path: folderArgument('The folder, or the one file, to search in.'),
    query: Type.String({
      description: 'A regular expression of RE2, matched line by line; a plain text with literal.',
      minLength: 1,
      maxLength: 10_000,
      examples: ['TODO|FIXME'],
    }),
    literal: Type.Optional(Type.Boolean({ description: 'Take the query as plain text.', default: false })),
    case: Type.Optional(
      oneOf(['smart', 'sensitive', 'insensitive'], {
        description: 'smart: sensitive exactly when the query has a capital letter.',
        default: 'smart',
      }),
    ),
    include: patternList('Only files that match one of these; all where empty.', '*.ts'),
    exclude: patternList('Files and folders to leave out.', 'dist'),
    ignore: ignoreArgument(''),
    context: Type.Optional(
      Type.Integer({
        description: 'Lines to show before and after each match, 0 to 10.',
        minimum: 0,
        maximum: 10,
        default: 0,
      }),
    ),
    limit: limitArgument('matches', 100, 1000),
    cursor: cursorArgument,
  }),
  output: Type.Array(
    Type.Object({
      path: Type.String({ description: 'The file, relative to the workspace.' }),
      line: Type.Integer({ description: 'Counted from 1.' }),
      column: Type.Integer({ description: 'Where the match begins, in characters, counted from 1.' }),
      text: Type.String({ description: 'The line; a very long one is cut around the match.' }),
      before: lines('Lines before it.'),
      after: lines('Lines after it.'),
    }),
    { description: 'The matches, by path and line.' },
  ),
  show: showMatches,
  budget: LONG_WORK,
  needs: { calls: FileCalls, search: SearchContentHandler },
  permissions: reads('path', '.'),
  capabilities: ['read'],
  run: async (args, { calls, search }, context) => {
    const found = await search.handle(
      {
        path: args.path ?? '.',
        query: args.query,
        literal: args.literal ?? false,
        case: args.case ?? 'smart',
        include: args.include ?? [],
        exclude: args.exclude ?? [],
        ignore: args.ignore ?? true,
        context: args.context ?? 0,
        limit: args.limit ?? 100,
        ...(args.cursor !== undefined && { cursor: args.cursor }),
      },
      calls.open(context),
    );
    if (!found.success) return found;
    const { items, page } = found.value;
    return Result.ok(items, page === undefined ? {} : { page, instruction: MORE });
  },
});
