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

/** Names that are exchanged all the time make as many views as there are arrangements. */
const MAX_VIEWS = 32;

/** The last views. Whoever would get the same view gets the same object: plans hang on it, and the gate compares it. */
export class ViewMemo {
  #last: { readonly grounds: ViewGrounds; readonly view: SandboxView } | undefined;
  /** The one used last is the last. */
  #views: readonly SandboxView[] = [];

  recall(grounds: ViewGrounds, make: () => SandboxView): SandboxView {
    if (this.#last !== undefined && isSame(this.#last.grounds, grounds)) return this.#last.view;
    const made = make();
    const view = this.#views.find((known) => isSameView(known, made)) ?? made;
    this.#views = [...this.#views.filter((known) => known !== view), view].slice(-MAX_VIEWS);
    this.#last = { grounds, view };
    return view;
  }
}

/** In whatever order things were found. */
function isSameView(one: SandboxView, other: SandboxView): boolean {
  const lists = ({ read, write, hide, readOnlyInside, pinned = [], couldAppear = [] }: SandboxView) => [
    read,
    write,
    hide,
    readOnlyInside,
    pinned,
    couldAppear,
  ];
  const others = lists(other);
  return lists(one).every((paths, index) => isSameSet(new Set(paths), new Set(others[index])));
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
