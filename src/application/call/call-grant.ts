import type { CommandPlan } from '../../domain/command/command-plan.js';
import type { OwnTmp } from '../../domain/permission/path/own-tmp.js';
import type { Obligations } from '../../domain/permission/policy/obligations.js';
import type { PathView } from '../../domain/permission/policy/path-view.js';
import type { PermissionPolicy } from '../../domain/permission/policy/permission-policy.js';

/** What the policy granted one call: what it may read and change, and its restrictions. */
export interface CallGrant {
  /** For the guards, which check every real path again. */
  readonly view: PathView;
  readonly obligations: Obligations;
  /** The policy that decided the call, for code that needs more than one tool's view. */
  readonly policy: PermissionPolicy;
  /** The command lines of the call as decided: these plans run, the text is never parsed again. */
  readonly plans?: readonly CommandPlan[] | undefined;
  /** Present where a path of the call lies in the /tmp of its session; `view` knows it. */
  readonly ownTmp?: OwnTmp | undefined;
}
