import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxJob, SandboxView } from '../../../../application/ports/command/command-sandbox.js';
import type { Result } from '../../../../domain/result.js';
import type { ToolError } from '../../../../domain/tool/tool-error.js';
import { errnoOf } from '../../../state/errno.js';
import { hasEnded, isStopped } from '../../view/mount/frozen-processes.js';
import { findWrongMount } from '../../view/mount/mount-check.js';
import type { PlannedMounts } from '../../view/mount/planned-mounts.js';
import { CANNOT_LOOK } from '../bubblewrap-diagnosis.js';

/** How often a sandbox is held against its plan, and how often at least where nothing moves meanwhile. */
const LOOKS = 16;
const LOOKS_AT_LEAST = 4;
const PAUSE_MS = 2;

/** Holds a sandbox whose command has not begun against the plan, and the plan against the tree. */
export class GateCheck {
  /** What was asked for just before the command would have begun, where it differs from what was planned with. */
  #nextView: Result<SandboxView, ToolError> | undefined;

  constructor(
    private readonly job: Pick<SandboxJob, 'view' | 'currentView'>,
    private readonly plan: PlannedMounts,
    private readonly pid: number,
  ) {}

  /** Of one that was made for this plan. Names that are exchanged all the time are as planned again a moment later; all that counts is one such moment. */
  async ofFresh(): Promise<string | undefined> {
    let why = await this.#differs();
    for (let looks = 1; why !== undefined && looks < LOOKS && !hasEnded(this.pid); looks += 1) {
      await sleep(Math.random() * PAUSE_MS);
      const before = this.#nextView;
      const again = await this.#differs();
      const isSettled = again === why && sameView(before, this.#nextView);
      why = again;
      if (isSettled && looks >= LOOKS_AT_LEAST) break;
    }
    return why;
  }

  /** Of one that has stood for a while. Another is made at once if anything is wrong with it. */
  async ofAhead(): Promise<string | undefined> {
    // Other commands of its session may send it signals.
    return isStopped(this.pid) ? 'It was stopped.' : this.#differs();
  }

  async #differs(): Promise<string | undefined> {
    const wrong = this.#findWrongMount();
    if (wrong !== undefined) return `${wrong} changed while the sandbox was being set up.`;
    const current = await this.job.currentView?.();
    if (current === undefined || (current.success && current.value === this.job.view)) return undefined;
    this.#nextView = current;
    return 'Files that the sandbox hides or protects changed while it was being set up.';
  }

  #findWrongMount(): string | undefined {
    try {
      return findWrongMount(this.pid, this.plan.mounts, this.plan.objects);
    } catch (error) {
      if (errnoOf(error) === 'EACCES' || errnoOf(error) === 'EPERM') throw new Error(CANNOT_LOOK);
      throw error;
    }
  }
}

function sameView(
  one: Result<SandboxView, ToolError> | undefined,
  other: Result<SandboxView, ToolError> | undefined,
): boolean {
  return one?.success === true && other?.success === true ? one.value === other.value : one === other;
}
