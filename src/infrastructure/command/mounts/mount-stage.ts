import { dirname, join, relative } from 'node:path';
import { isWithin } from '../program/toolchains.js';
import type { Mount } from './mount-plan.js';

/** Lies where every command has shared memory of its own over it. */
const STAGE = '/dev/shm/stage';
const NULL = `${STAGE}/null`;
/** bwrap itself, wherever the host has it. */
export const STAGED_BWRAP = `${STAGE}/bwrap`;
/** The processes of a session. Over those of the host, which bwrap needs, each command lays them itself. */
export const STAGED_PROC = `${STAGE}/proc`;
/** An empty folder that nobody can open, inside a view. */
export const STAGED_NOTHING = `${STAGE}/nothing`;

/** A mount inside the namespace of a view: what lies at `source` is shown at `path`. */
export interface StagedMount {
  readonly source: string;
  readonly path: string;
}

/**
 * The sources of masks and read-only islands, prepared read-only inside the namespace of a view: a mount takes the flags of
 * its source along to every namespace that it reaches, and those of a later remount stay behind.
 */
export class MountStage {
  readonly #roots: readonly { readonly path: string; readonly source: string; readonly staged: string }[];
  readonly #folders: readonly string[];

  constructor(
    base: readonly Mount[],
    inner: readonly Mount[],
    private readonly own: { readonly nothing: string; readonly bwrap: string },
  ) {
    this.#roots = base
      .flatMap((mount) =>
        mount.kind === 'write' ? [{ path: mount.path, source: mount.source ?? mount.path }] : [],
      )
      .map((root, index) => ({ ...root, staged: `${STAGE}/root-${index}` }))
      // The innermost first.
      .reverse();
    this.#folders = [
      ...new Set(
        inner.flatMap((mount) =>
          mount.kind === 'mask-file' && mount.source !== undefined ? [dirname(mount.source)] : [],
        ),
      ),
    ];
  }

  /** For bwrap, behind its /dev. */
  arguments(): readonly string[] {
    return [
      ...['--ro-bind', '/dev/null', NULL, '--ro-bind', this.own.nothing, STAGED_NOTHING],
      ...['--ro-bind', this.own.bwrap, STAGED_BWRAP],
      ...this.#roots.flatMap(({ source, staged }) => ['--ro-bind', source, staged]),
      ...this.#folders.flatMap((folder, index) => ['--ro-bind', folder, placeholders(index)]),
    ];
  }

  /** undefined: nothing is prepared for such a mount, which needs another view. */
  of(mount: Mount): StagedMount | undefined {
    const source = this.#source(mount);
    return source === undefined ? undefined : { source, path: mount.path };
  }

  #source(mount: Mount): string | undefined {
    switch (mount.kind) {
      case 'mask-file':
        return mount.source === undefined ? NULL : this.#placeholder(mount.source);
      case 'mask-folder':
        return STAGED_NOTHING;
      case 'read':
        return this.#sealed(mount.path);
      case 'write':
        return mount.path;
      case 'temporary':
      case 'link':
        return undefined;
    }
  }

  #sealed(path: string): string | undefined {
    const root = this.#roots.find((one) => isWithin(path, one.path));
    return root && join(root.staged, relative(root.path, path));
  }

  #placeholder(source: string): string | undefined {
    const index = this.#folders.indexOf(dirname(source));
    return index === -1 ? undefined : join(placeholders(index), relative(dirname(source), source));
  }
}

function placeholders(index: number): string {
  return `${STAGE}/placeholders-${index}`;
}

/** As fstab(5) wants it. */
export function mountTableOf(mounts: readonly StagedMount[]): string {
  return mounts.map(({ source, path }) => `${escaped(source)} ${escaped(path)} none bind 0 0\n`).join('');
}

function escaped(path: string): string {
  return path.replace(
    /[\\ \t\n\v\f\r]/g,
    (letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
}
