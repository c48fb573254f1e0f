/** A file that a patch changes. */
export interface PatchedFile {
  readonly path: string;
  readonly deleted: boolean;
}

const HEADER = /^\s*\*\*\* (Add File|Update File|Delete File|Move to):[ \t]*(.*?)\s*$/;

/** The files in a patch of the form that Codex's apply_patch takes; a file that is moved counts under both names. */
export function patchedFiles(patch: string): readonly PatchedFile[] {
  return patch.split(/\r?\n/).flatMap((line) => {
    const [, kind, path] = HEADER.exec(line) ?? [];
    return kind === undefined || path === undefined ? [] : [{ path, deleted: kind === 'Delete File' }];
  });
}
