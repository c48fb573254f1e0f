import { readFileSync } from 'node:fs';
import type { LiveCommand, ViewChange } from '../../../application/ports/command/command-sandbox.js';
import { lookAtEntry, maskOf } from '../mounts/mount-plan.js';
import { holdersOf, replacedObjects } from '../mounts/open-descriptors.js';
import { pauseProcesses, resumeProcesses } from '../process/paused-processes.js';
import { signalKill } from './session-processes.js';
import type { SessionView, ViewUser } from './session-view.js';

/** Masks one after the other: who resumes processes must not wake what another has just stopped. */
export class MaskQueue {
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  get isWaiting(): boolean {
    return this.#waiting > 0;
  }

  run(work: () => Promise<void>): Promise<void> {
    this.#waiting += 1;
    this.#last = this.#last.then(() => {
      this.#waiting -= 1;
      return work();
    });
    return this.#last;
  }
}

export interface MaskedCommandParts {
  /** Absent: nothing can be mounted later, and the command is ended instead. */
  readonly view: SessionView | undefined;
  /** An empty folder that nobody can open. */
  readonly nothing: string;
  /** All that could wake one of its processes: its own, and those of its session. */
  readonly processesToPause: () => readonly number[];
  readonly processes: () => readonly number[];
  readonly stop: (why: string) => void;
  /** Shared by the commands of a session, whose processes are stopped together. */
  readonly queue: MaskQueue;
}

/** A command that runs in bubblewrap, seen by who watches the files that it must not reach. */
export class MaskedCommand implements LiveCommand, ViewUser {
  /** Sentences about processes of it that were ended. */
  readonly notes: string[] = [];
  #isOver = false;

  constructor(private readonly parts: MaskedCommandParts) {
    parts.view?.users.add(this);
  }

  cover(change: ViewChange): Promise<void> {
    return this.parts.queue.run(() => this.#mask(change));
  }

  end(why: string): void {
    if (!this.#isOver) this.parts.stop(why);
  }

  over(): void {
    this.#isOver = true;
    this.parts.view?.users.delete(this);
  }

  processes(): readonly number[] {
    return this.parts.processes();
  }

  lost(process: string, path: string): void {
    const what = process === '' ? 'A process of it' : `Its process "${process}"`;
    this.notes.push(
      `${what} was ended: it had ${path} open, which is hidden or protected and was replaced from outside meanwhile. Start it again.`,
    );
  }

  async #mask(change: ViewChange): Promise<void> {
    const { queue, processesToPause } = this.parts;
    const open = this.#isOver ? [] : await this.#attempt(change);
    if (open.length > 0 && this.parts.processes().length > 0)
      this.end(
        `Files that it must not reach appeared or were replaced and could not be covered: ${listed(open)}.`,
      );
    // All rest until the last of several files that were saved together is covered.
    if (!queue.isWaiting) resumeProcesses(processesToPause);
  }

  async #attempt({ hide, readOnlyInside }: ViewChange): Promise<readonly string[]> {
    const { view, nothing, processesToPause } = this.parts;
    const paths = [...hide, ...readOnlyInside];
    if (view === undefined || !(await pauseProcesses(processesToPause))) return paths;
    try {
      const masks = hide.flatMap((path) => maskOf(path, nothing) ?? []);
      const seals = readOnlyInside
        .filter(isThere)
        .map((path) => ({ kind: 'read' as const, path, source: path }));
      // Saved again meanwhile, it is another object: whoever holds the one before may have it under the mount.
      const before = replacedObjects(hide, readOnlyInside);
      const { added, open } = await view.mask([...masks, ...seals]);
      const covered = new Set(added.map(({ path }) => path));
      const objects = [...before, ...replacedObjects(hide, readOnlyInside)];
      endHolders(
        view,
        objects.filter(({ path }) => covered.has(path)),
      );
      return open;
    } catch {
      // The view cannot be changed any more: the command is ended.
      return paths;
    }
  }
}

/** What was opened before the mount reaches the file all the same: whoever holds it is ended while all rest. */
function endHolders(view: SessionView, objects: ReturnType<typeof replacedObjects>): void {
  for (const user of view.users) {
    for (const { pid, path } of holdersOf(objects, user.processes())) {
      user.lost(nameOf(pid), path);
      signalKill(pid);
    }
  }
}

function isThere(path: string): boolean {
  const found = lookAtEntry(path);
  return found !== undefined && !found.isSymbolicLink();
}

export function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    // It has ended.
    return '';
  }
}

const SHOWN = 5;

function listed(paths: readonly string[]): string {
  const more = paths.length - SHOWN;
  return paths.slice(0, SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
