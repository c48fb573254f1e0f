import type {
  SecurityNotes,
  ToolErrorNote,
  ToolSpecificationNotes,
} from '../../../application/tool/tool-definition.js';

const PATH_ERRORS: readonly ToolErrorNote[] = [
  { type: 'NotADirectoryError', when: 'a part of the path that must be a folder is not one' },
  { type: 'InvalidPathError', when: 'a name is longer than the system takes, or links lead in a circle' },
  { type: 'SystemPermissionError', when: 'the operating system refuses what the policy allows' },
];

const READ_ERRORS: readonly ToolErrorNote[] = [
  ...PATH_ERRORS,
  { type: 'SpecialFileError', when: 'the path is a pipe, a device, a socket or a file of the kernel' },
];

const WRITE_ERRORS: readonly ToolErrorNote[] = [
  ...READ_ERRORS,
  { type: 'StateUnavailableError', when: 'the folder for locks and unfinished writes cannot be used' },
];

const READS: SecurityNotes = {
  files:
    'Reads only paths that the policy allows this tool. Every link on the way is resolved and checked again, also when it changes during the call. Give the tool `allowed_paths` as narrow as the work permits.',
  network: 'None.',
  execution: 'None: the content is never interpreted.',
  changes: 'None.',
  secrets:
    'Files that usually hold secrets (.env, private keys, credentials) are denied by the built-in profiles, and `redaction: { results: true }` of the policy hides secrets in answers, too. Add your own places to `denied_paths`.',
};

const CHANGES: SecurityNotes = {
  ...READS,
  files:
    'Changes only paths that the policy allows this tool to write; links are resolved and checked again. Git’s own files, the policy and editor settings that run code are protected whatever the policy allows.',
  execution: 'None; but a file that is written may be run later, by a build for example.',
  changes:
    'A change is whole or does not happen, and is flushed to disk. There is no undo: keep the workspace under version control, and set `consent: ask` where a person should see each change.',
  secrets:
    'A placeholder of a secret that was hidden from the caller is refused, so that no file loses its secret to it.',
};

const TREE = {
  source: 'README.md',
  destination: 'docs/README.md',
  files: 1,
  directories: 0,
  bytes: 2048,
  skipped: 0,
};
const MODIFIED = '2026-03-14T09:26:53.589Z';

/** A page's cursor; its form is the server's own business. */
const NEXT = { cursor: 'eyJhZnRlciI6InNyYy9pbmRleC50cyJ9' };

export const FILE_NOTES: Readonly<Record<string, ToolSpecificationNotes>> = {
  copy_path: {
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
  create_directory: {
    answer: { path: 'output/reports/2026', created: 3 },
    errors: WRITE_ERRORS,
    security: { ...CHANGES, execution: 'None.', secrets: 'None are touched.' },
  },
  delete_path: {
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
  edit_file: {
    answer:
      '--- src/index.ts\n+++ src/index.ts\n@@ -1 +1 @@\n-export const one = 1;\n+export const two = 1;\n',
    errors: [...WRITE_ERRORS, { type: 'IsADirectoryError', when: 'the path is a folder' }],
    security: {
      ...CHANGES,
      changes: `${CHANGES.changes} A lock keeps two edits of one file from losing each other’s work.`,
    },
  },
  file_info: {
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
  list_directory: {
    arguments: NEXT,
    answer: [{ name: 'index.ts', path: 'src/index.ts', type: 'file', size: 512, modified: MODIFIED }],
    errors: PATH_ERRORS,
    security: {
      ...READS,
      secrets:
        'Names that the policy hides are left out, and nothing tells that they were. Names themselves may be telling: deny the folder where they are.',
    },
  },
  move_path: {
    answer: TREE,
    errors: [...WRITE_ERRORS, { type: 'NotEmptyError', when: 'a folder at the destination is not empty' }],
    security: {
      ...CHANGES,
      secrets: 'A file that may not be read cannot be moved to where it could be.',
    },
  },
  read_file: {
    answer: '# Castellan\n\nAn MCP server under a permission policy.\n',
    errors: READ_ERRORS,
    security: READS,
  },
  read_files: {
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
  search_content: {
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
  search_files: {
    arguments: NEXT,
    answer: ['src/index.ts', 'src/main.ts'],
    errors: PATH_ERRORS,
    security: {
      ...READS,
      secrets:
        'Paths that the policy hides are not found. Paths themselves may be telling: deny the folder where they are.',
    },
  },
  write_file: {
    answer: 'Written to src/index.ts',
    errors: [
      ...WRITE_ERRORS,
      { type: 'IsADirectoryError', when: 'the path is a folder' },
      { type: 'EncodingError', when: 'the content has half of a surrogate pair' },
    ],
    security: CHANGES,
  },
};
