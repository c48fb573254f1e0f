import { closeSync, constants, openSync } from 'node:fs';
import { lookingInto, nextLine, openNamespace } from '../launch/namespace-helper.js';
import type { Mount, MountPlan } from '../mounts/mount-plan.js';
import { MountStage, mountTableOf } from '../mounts/mount-stage.js';
import {
  type MountedTree,
  type PlannedObjects,
  rememberObjects,
  verifyMounts,
} from '../mounts/mount-verifier.js';
import { isMasked, isReached, isSame, type MountTable, SandboxFolders } from '../mounts/sandbox-folders.js';
import { descendantsOf } from '../process/memory-watchdog.js';
import { namespaceOf } from './session-processes.js';
import { ADD, mountInside, PREPARE, startView, type ViewMaker, type ViewOwner } from './view-mounts.js';

/** A command that runs in a view. */
export interface ViewUser {
  processes(): readonly number[];
  /** One of its processes was ended because it held what lies at this path. */
  lost(process: string, path: string): void;
}

/** More than these are not added to a view one by one: another one is made. */
const MOST_ADDED = 64;
const O_PATH = 0o10000000;

/**
 * The mounts of a session's commands, in a namespace in which no process stays. Each command has a copy that follows it: what is
 * mounted here reaches the commands that run and those that come.
 */
export class SessionView {
  readonly users = new Set<ViewUser>();
  /** The numbers of the mounts inside of others, by path. */
  #ids = new Map<string, number>();
  /** What stands in for hidden files, by path; undefined: nothing that can be opened. */
  readonly #sources = new Map<string, string | undefined>();
  #uses = 0;
  #isKept = true;
  #isClosed = false;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly maker: ViewMaker,
    private readonly owner: ViewOwner,
    private readonly base: readonly Mount[],
    private readonly objects: PlannedObjects,
    private readonly stage: MountStage,
    readonly namespace: number,
    private readonly root: number,
  ) {}

  /** Throws WrongMount if what was mounted is not what was planned. */
  static async open(maker: ViewMaker, owner: ViewOwner, { base, inner }: MountPlan): Promise<SessionView> {
    const stage = new MountStage(base, inner, { nothing: maker.system.nothing, bwrap: maker.bwrap });
    const objects = rememberObjects([...base, ...inner]);
    const helper = await startView(maker, owner, base, stage.arguments());
    let view: SessionView | undefined;
    try {
      await nextLine(helper, maker.bwrap);
      const outside = namespaceOf('self', 'mnt');
      const pid = descendantsOf(helper.pid ?? 0).find((one) => namespaceOf(one, 'mnt') !== outside);
      const namespace = openNamespace(pid, 'mnt');
      const root = lookingInto(() => openSync(`/proc/${pid}/root`, O_PATH | constants.O_DIRECTORY));
      view = new SessionView(maker, owner, base, objects, stage, namespace, root);
      await view.#prepare(inner);
      return view;
    } catch (error) {
      view?.drop();
      throw error;
    } finally {
      helper.stdin.end();
    }
  }

  /** Adds what is missing. False: it shows other folders, covers what is to be open, or lacks too much: another one is needed. */
  hold(plan: MountPlan): Promise<boolean> {
    return this.#serially(() => this.#hold(plan));
  }

  /** Whether everything is in its place at this moment. */
  holds({ inner }: MountPlan): boolean {
    return this.#compare(inner).lost.length === 0;
  }

  /** Covers what is not covered, while all that could reach it is stopped. Answers what was open, and what still is. */
  mask(
    mounts: readonly Mount[],
  ): Promise<{ readonly added: readonly Mount[]; readonly open: readonly string[] }> {
    return this.#serially(() => this.#mask(mounts));
  }

  use(): void {
    this.#uses += 1;
  }

  leave(): void {
    this.#uses -= 1;
    this.#closeUnused();
  }

  /** No command will be started in it any more. */
  drop(): void {
    this.#isKept = false;
    this.#closeUnused();
  }

  async #hold({ base, inner }: MountPlan): Promise<boolean> {
    if (this.#isClosed || JSON.stringify(base) !== JSON.stringify(this.base)) return false;
    const objects = rememberObjects([...base, ...inner]);
    const isSameBase = this.base.every(
      ({ path }) =>
        objects.get(path) === this.objects.get(path) || isSame(objects.get(path), this.objects.get(path)),
    );
    const { lost, superfluous } = this.#compare(inner);
    const missing = new Set(lost);
    const isExchanged = inner.some((mount) => !missing.has(mount) && !this.#hasSource(mount));
    if (!isSameBase || superfluous || isExchanged || lost.length > MOST_ADDED) return false;
    if (lost.length === 0) return true;
    // A folder that is to keep its name would lie over what is mounted inside of it.
    if (lost.some((mount) => mount.kind === 'write' || this.stage.of(mount) === undefined)) return false;
    const table = await this.#add(lost);
    return (await this.#check(table, inner, objects)) === undefined;
  }

  async #mask(mounts: readonly Mount[]): ReturnType<SessionView['mask']> {
    const { lost } = this.#compare(mounts);
    if (lost.length === 0) return { added: [], open: [] };
    const table = await this.#add(lost);
    const folders = new SandboxFolders(this.#tree);
    try {
      const reached = lost.filter(({ path }) => isReached(path, folders));
      const isOpen = (mount: Mount): boolean => !isMasked(mount, folders, table);
      for (const mount of reached)
        if (!isOpen(mount)) {
          this.#ids.set(mount.path, folders.lookWithMount(mount.path).mount);
          this.#noteSource(mount);
        }
      return { added: reached, open: reached.filter(isOpen).map(({ path }) => path) };
    } finally {
      folders.close();
    }
  }

  async #prepare(inner: readonly Mount[]): Promise<void> {
    const staged = inner.flatMap((mount) => this.stage.of(mount) ?? []);
    const list = this.maker.textFile(mountTableOf(staged));
    try {
      const table = await this.#enter(PREPARE, [], [list]);
      const wrong = await this.#check(table, inner, this.objects);
      if (wrong !== undefined) throw new WrongMount(wrong);
    } finally {
      closeSync(list);
    }
  }

  async #add(mounts: readonly Mount[]): Promise<MountTable> {
    const words = mounts.flatMap((mount) => {
      const staged = this.stage.of(mount);
      return staged === undefined ? [] : [staged.source, staged.path];
    });
    return this.#enter(ADD, words);
  }

  /** Answers the path that is wrong. */
  async #check(
    table: MountTable,
    inner: readonly Mount[],
    objects: PlannedObjects,
  ): Promise<string | undefined> {
    const tree: MountedTree = { root: this.#tree, table };
    const { wrong, ids } = await verifyMounts(tree, [...this.base, ...inner], objects);
    const paths = new Set(inner.map(({ path }) => path));
    this.#ids = new Map([...ids].filter(([path]) => paths.has(path)));
    for (const mount of inner) this.#noteSource(mount);
    return wrong;
  }

  #noteSource(mount: Mount): void {
    if (mount.kind === 'mask-file') this.#sources.set(mount.path, mount.source);
  }

  /** git goes by size and time of what stands in for a file; another one needs another mount. */
  #hasSource(mount: Mount): boolean {
    return mount.kind !== 'mask-file' || this.#sources.get(mount.path) === mount.source;
  }

  #compare(inner: readonly Mount[]): { readonly lost: readonly Mount[]; readonly superfluous: boolean } {
    const folders = new SandboxFolders(this.#tree);
    const isInPlace = (path: string): boolean => {
      try {
        return folders.lookWithMount(path).mount === this.#ids.get(path);
      } catch {
        // A name on the way is missing or has become a link.
        return false;
      }
    };
    try {
      const wanted = new Set(inner.map(({ path }) => path));
      return {
        lost: inner.filter(({ path }) => !isInPlace(path)),
        superfluous: [...this.#ids.keys()].some((path) => !wanted.has(path) && isInPlace(path)),
      };
    } finally {
      folders.close();
    }
  }

  /** As the server looks into it. */
  get #tree(): string {
    return `/proc/self/fd/${this.root}`;
  }

  #enter(script: string, words: readonly string[], more: readonly number[] = []): Promise<MountTable> {
    const { setup } = this.owner;
    return mountInside(this.maker, { setup, mounts: this.namespace }, { script, words, more });
  }

  #serially<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  #closeUnused(): void {
    if (this.#isClosed || this.#isKept || this.#uses > 0) return;
    this.#isClosed = true;
    closeSync(this.namespace);
    closeSync(this.root);
  }
}

/** Another process exchanged names while they were mounted. */
export class WrongMount extends Error {
  constructor(path: string) {
    super(`${path} changed while the sandbox was being set up.`);
  }
}
