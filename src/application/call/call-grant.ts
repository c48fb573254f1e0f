import type { CommandPlan } from '../../domain/command/command-plan.js';
import type { OwnTmp } from '../../domain/permission/path/own-tmp.js';
import type { Obligations } from '../../domain/permission/policy/obligations.js';
import type { PathView } from '../../domain/permission/policy/path-view.js';
import type { PermissionPolicy } from '../../domain/permission/policy/permission-policy.js';

/** What the policy gave to one call: what it may see and change, and what it must keep to. */
export interface CallGrant {
  /** For the guards, which ask again about every real path they meet. */
  readonly view: PathView;
  readonly obligations: Obligations;
  /** The policy the call was decided on, for whoever needs more than one tool's view of it. */
  readonly policy: PermissionPolicy;
  /** The command lines of the call as they were decided on: what runs is these, never the text read again. */
  readonly plans?: readonly CommandPlan[] | undefined;
  /** Present where a path of the call lies in the /tmp of its session; `view` knows it. */
  readonly ownTmp?: OwnTmp | undefined;
}
