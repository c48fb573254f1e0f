import type { SandboxView } from '../../../../application/ports/command/command-sandbox.js';
import { type Mount, type MountRequest, planMounts } from '../mount-plan.js';
import { type PlannedObjects, rememberObjects } from './mount-check.js';
import { isSame as isSameObject } from './sandbox-folders.js';

/** What is to be mounted, and what lay behind the names when that was decided. */
export interface PlannedMounts {
  readonly mounts: readonly Mount[];
  readonly objects: PlannedObjects;
}

interface Kept {
  readonly request: MountRequest;
  readonly plan: PlannedMounts;
}

/**
 * Plans by view: as long as commands are given the same view by somebody who keeps it current, and its names stand for
 * the same objects, the plan is the same. A plan that failed is made anew.
 */
export class MountPlans {
  readonly #kept = new WeakMap<SandboxView, Kept>();

  /** `isCurrent`: another view comes in place of this one when something changes. */
  of(request: MountRequest, isCurrent: boolean): PlannedMounts {
    const kept = this.#kept.get(request.view);
    if (kept !== undefined && isCurrent && isSame(kept.request, request) && isUpToDate(kept.plan))
      return kept.plan;
    const mounts = planMounts(request);
    const plan = { mounts, objects: rememberObjects(mounts) };
    // Places in a /tmp that lasts are made with the plan, and commands can remove what is not in use.
    const isLasting = request.tmp !== undefined && mounts.some(({ path }) => path.startsWith('/tmp/'));
    if (isCurrent && !isLasting) this.#kept.set(request.view, { request, plan });
    return plan;
  }

  forget(view: SandboxView): void {
    this.#kept.delete(view);
  }
}

function isSame(one: MountRequest, other: MountRequest): boolean {
  return (
    one.system === other.system &&
    one.toolchains === other.toolchains &&
    one.home === other.home &&
    one.tmp === other.tmp &&
    one.without === other.without &&
    one.tmpBytes === other.tmpBytes
  );
}

/** A sandbox may stand for a while before its command comes, so that what it shows is held against what is there now. */
function isUpToDate({ mounts, objects }: PlannedMounts): boolean {
  const now = rememberObjects(mounts);
  return (
    now.size === objects.size && [...now].every(([path, object]) => isSameObject(object, objects.get(path)))
  );
}
