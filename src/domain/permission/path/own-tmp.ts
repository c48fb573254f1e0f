import type { PathView } from '../policy/path-view.js';
import { isInside } from './normal-path.js';

const TMP = '/tmp';

/**
 * Whether a path means the /tmp of the caller's session, and not the machine's. What a policy opens there by name is the
 * machine's, and so is the folder of /tmp in which a workspace lies.
 */
export function isInOwnTmp(path: string, workspace: string, view: PathView): boolean {
  if (!isInside(path, TMP) || isInside(TMP, workspace)) return false;
  const [kept] = /^\/tmp\/[^/]+/.exec(workspace) ?? [];
  if (kept !== undefined && isInside(path, kept)) return false;
  return !view.canRead(path) && !view.canWrite(path);
}

/** The folder of the host that commands of one session have as /tmp, with what a tool may do in it. */
export class OwnTmp {
  /** What the tool may touch there and elsewhere, by the paths of the host. */
  readonly view: PathView;

  constructor(
    /** Canonical. */
    private readonly folder: string,
    private readonly workspace: string,
    /** What the tool may touch elsewhere. */
    private readonly elsewhere: PathView,
    /** What it may touch in the /tmp of its session, by the paths of that. */
    inside: PathView,
  ) {
    this.view = {
      canRead: (path) => (this.#has(path) ? inside.canRead(this.shown(path)) : elsewhere.canRead(path)),
      canWrite: (path) => (this.#has(path) ? inside.canWrite(this.shown(path)) : elsewhere.canWrite(path)),
      readableIn: (folder) =>
        this.#has(folder) ? inside.readableIn(this.shown(folder)) : elsewhere.readableIn(folder),
    };
  }

  /** Where on the host a path lies that is absolute in the words of the caller. */
  locate(path: string): string {
    return isInOwnTmp(path, this.workspace, this.elsewhere) ? this.folder + path.slice(TMP.length) : path;
  }

  /** A path of the host in the words of the caller. */
  shown(path: string): string {
    return this.#has(path) ? TMP + path.slice(this.folder.length) : path;
  }

  #has(path: string): boolean {
    return isInside(path, this.folder);
  }
}
