import type { SecurityNotes, ToolErrorNote } from '../../../application/tool/tool-definition.js';

export const PATH_ERRORS: readonly ToolErrorNote[] = [
  { type: 'NotADirectoryError', when: 'a part of the path that must be a folder is not one' },
  { type: 'InvalidPathError', when: 'a name is longer than the system takes, or links lead in a circle' },
  { type: 'SystemPermissionError', when: 'the operating system refuses what the policy allows' },
];

export const READ_ERRORS: readonly ToolErrorNote[] = [
  ...PATH_ERRORS,
  { type: 'SpecialFileError', when: 'the path is a pipe, a device, a socket or a file of the kernel' },
];

export const WRITE_ERRORS: readonly ToolErrorNote[] = [
  ...READ_ERRORS,
  { type: 'StateUnavailableError', when: 'the folder for locks and unfinished writes cannot be used' },
];

export const READS: SecurityNotes = {
  files:
    'Reads only paths that the policy allows this tool. Every link on the way is resolved and checked again, also when it changes during the call. Give the tool `allowed_paths` as narrow as the work permits.',
  network: 'None.',
  execution: 'None: the content is never interpreted.',
  changes: 'None.',
  secrets:
    'Files that usually hold secrets (.env, private keys, credentials) are denied by the built-in profiles, and `redaction: { results: true }` of the policy hides secrets in answers, too. Add your own places to `denied_paths`.',
};

export const CHANGES: SecurityNotes = {
  ...READS,
  files:
    'Changes only paths that the policy allows this tool to write; links are resolved and checked again. Git’s own files, the policy and editor settings that run code are protected whatever the policy allows.',
  execution: 'None; but a file that is written may be run later, by a build for example.',
  changes:
    'A change is whole or does not happen, and is flushed to disk. There is no undo: keep the workspace under version control, and set `consent: ask` where a person should see each change.',
  secrets:
    'A placeholder of a secret that was hidden from the caller is refused, so that no file loses its secret to it.',
};

export const TREE = {
  source: 'README.md',
  destination: 'docs/README.md',
  files: 1,
  directories: 0,
  bytes: 2048,
  skipped: 0,
};
export const MODIFIED = '2026-03-14T09:26:53.589Z';

/** A page's cursor; its form is the server's own business. */
export const NEXT = { cursor: 'eyJhZnRlciI6InNyYy9pbmRleC50cyJ9' };
