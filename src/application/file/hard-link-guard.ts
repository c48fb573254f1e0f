import { inject, injectable } from 'inversify';
import { PathRules } from '../../domain/permission/path/path-rules.js';
import { CREDENTIAL_CONFIGS } from '../../domain/permission/path/sensitive-paths.js';
import type { PermissionPolicy } from '../../domain/permission/policy/permission-policy.js';
import { InodeScan, type ScannedInodes } from '../ports/file/inode-scan.js';
import type { InodeIdentity } from '../ports/file/safe-file-system.js';
import { Clock } from '../ports/system/clock.js';
import { Workspace } from '../ports/system/workspace.js';

interface Known {
  readonly policy: PermissionPolicy;
  readonly startedMs: number;
  readonly scanned: Promise<ScannedInodes>;
}

const MAX_AGE_MS = 30_000;
/** File systems store times with less precision than clocks. */
const CLOCK_GRAIN_MS = 50;
const WILDCARD = /[*?[\]{}\\]/;
const NOWHERE = { file: 'builtin', line: 1, column: 1 };

/**
 * Tells whether a file with several names is also a hidden file. It uses a cached scan of hidden files: a new
 * name changes the time of the inode, so a scan newer than that time is still valid.
 */
@injectable()
export class HardLinkGuard {
  #known: Known | undefined;

  constructor(
    @inject(InodeScan) private readonly scan: InodeScan,
    @inject(Workspace) private readonly workspace: Workspace,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async has(
    inode: InodeIdentity,
    mayRead: (path: string) => boolean,
    policy: PermissionPolicy,
  ): Promise<boolean> {
    const { names, complete } = await this.#scanned(inode.changedMs, policy);
    // An incomplete scan proves nothing, so a second name is refused.
    if (!complete) return true;
    return names.get(`${inode.device}:${inode.inode}`)?.some((path) => !mayRead(path)) ?? false;
  }

  #scanned(changedMs: number, policy: PermissionPolicy): Promise<ScannedInodes> {
    const now = this.clock.now();
    const known = this.#known;
    const holds =
      known?.policy === policy &&
      now - known.startedMs < MAX_AGE_MS &&
      changedMs < known.startedMs - CLOCK_GRAIN_MS;
    if (holds) return known.scanned;
    const hidden = hiddenBy(policy);
    const places = hidden.rules
      .map(({ pattern }) => pattern.replace(/^\*\*\//, ''))
      .filter((pattern) => !WILDCARD.test(pattern));
    const scanned = this.scan.find(this.workspace.root, places, (path) => hidden.covers(path));
    this.#known = { policy, startedMs: now, scanned };
    return scanned;
  }
}

function hiddenBy(policy: PermissionPolicy): PathRules {
  const credentials = CREDENTIAL_CONFIGS.map((rule) => ({ ...rule, at: NOWHERE }));
  const { never, hidden } = policy.patterns();
  const compiled = PathRules.compile([...never, ...hidden, ...credentials]);
  // The patterns were already compiled when the policy was loaded.
  if (!compiled.success) throw new Error(compiled.error);
  return compiled.value;
}
