import type { SandboxView } from '../../../application/ports/command/command-sandbox.js';

/** All that a view is made from. */
export interface ViewGrounds {
  readonly folders: Pick<SandboxView, 'read' | 'write'>;
  /** Of the findings. */
  readonly version: number;
  /** Secret by their names, and shown. */
  readonly open: ReadonlySet<string>;
  /** Read-only beside what was found; the same object as long as it is the same. */
  readonly protected: readonly string[];
}

/** The view of the last command. The next one gets the same object where it would be the same view: plans hang on it. */
export class ViewMemo {
  #last: { readonly grounds: ViewGrounds; readonly view: SandboxView } | undefined;

  recall(grounds: ViewGrounds, make: () => SandboxView): SandboxView {
    if (this.#last !== undefined && isSame(this.#last.grounds, grounds)) return this.#last.view;
    const view = make();
    this.#last = { grounds, view };
    return view;
  }
}

function isSame(one: ViewGrounds, other: ViewGrounds): boolean {
  return (
    one.version === other.version &&
    one.protected === other.protected &&
    isSameList(one.folders.read, other.folders.read) &&
    isSameList(one.folders.write, other.folders.write) &&
    isSameSet(one.open, other.open)
  );
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((path, index) => path === other[index]);
}

export function isSameSet(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  if (one.size !== other.size) return false;
  for (const path of one) if (!other.has(path)) return false;
  return true;
}
