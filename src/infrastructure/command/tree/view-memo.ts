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
  #views: readonly KnownView[] = [];

  recall(grounds: ViewGrounds, make: () => SandboxView): SandboxView {
    if (this.#last !== undefined && isSame(this.#last.grounds, grounds)) return this.#last.view;
    const view = this.keep(make());
    this.#last = { grounds, view };
    return view;
  }

  /** The same view as it was given out before, or this one. */
  keep(view: SandboxView): SandboxView {
    const made = known(view);
    const kept = this.#views.find((one) => isSameView(one, made)) ?? made;
    this.#views = [...this.#views.filter((one) => one !== kept), kept].slice(-MAX_VIEWS);
    return kept.view;
  }
}

/** With its lists as sets: in whatever order things were found. */
interface KnownView {
  readonly view: SandboxView;
  readonly sets: readonly ReadonlySet<string>[];
}

function known(view: SandboxView): KnownView {
  const { read, write, hide, readOnlyInside, pinned = [], couldAppear = [] } = view;
  const lists = [read, write, hide, readOnlyInside, pinned, couldAppear];
  return { view, sets: lists.map((paths) => new Set(paths)) };
}

function isSameView(one: KnownView, other: KnownView): boolean {
  return one.sets.every((set, index) => isSameSet(set, other.sets[index] ?? new Set()));
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
