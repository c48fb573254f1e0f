import * as Type from 'typebox';

const count = (description: string) => Type.Integer({ description });

/** The result of a move or a copy. */
export const changedTree = Type.Object({
  source: Type.String({ description: 'Where it was, relative to the workspace.' }),
  destination: Type.String({ description: 'Where it is now, relative to the workspace.' }),
  files: count('Files, and links, that were moved or copied one by one.'),
  directories: count('Folders that were moved or made.'),
  bytes: count('Bytes that were copied.'),
  skipped: count('Entries left out: what may not be read, pipes, devices and sockets.'),
});
