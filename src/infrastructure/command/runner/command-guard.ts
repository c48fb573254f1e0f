import type { CommandSideEffects } from '../../../application/ports/command/command-runner.js';
import type { Airlock } from '../git/airlock/airlock.js';
import { airlockFindings } from '../git/airlock/airlock-report.js';
import type { Airlocks } from '../git/airlock/airlocks.js';
import { settleClone } from '../git/airlock/settled-clone.js';
import type { CarryReport } from '../git/carrier/carrier-messages.js';
import type { DoorWatch, PreparedDoors } from '../git/door-watch.js';
import type { CaredFor } from '../git/git-care.js';
import type { GitDoors } from '../git/git-doors.js';
import type { CommandTree } from '../workspace/command-tree.js';
import type { ReservedPaths } from '../workspace/quarantine.js';
import { isRepository } from './command-folders.js';
import type { CommandGuard } from './prepared-command.js';

/** The tree of one command; the repositories in it that are watched over are known once it was planned. */
export interface PlannedTree {
  readonly tree: CommandTree;
  /** What git obeys: mounted read-only, and watched over. */
  readonly doors: () => PreparedDoors | undefined;
  /** Told when the repositories turn out to be others, just before the command begins. */
  readonly watches: Set<DoorWatch>;
}

interface GuardedTree extends PlannedTree, CaredFor {
  /** Of the workspace's own repository. */
  readonly airlock: Airlock | undefined;
  /** What was carried before the command. */
  readonly carried: readonly CarryReport[];
  /** Where no repository was, it may make one. */
  readonly mayMake: boolean;
}

/** Who looks after the repositories of a workspace. */
export interface CommandWatchers {
  readonly workspace: string;
  readonly doors: GitDoors;
  readonly airlocks: Airlocks;
  readonly reserved: ReservedPaths;
}

/** Watches over what a command does to repositories, and accounts for it at its end. */
export async function guardCommand(
  parts: GuardedTree,
  { workspace, doors, airlocks, reserved }: CommandWatchers,
  end: (why: string) => void,
): Promise<CommandGuard> {
  const { tree, watches, airlock } = parts;
  const ended = reserved.begin();
  const scope = parts.doors()?.scope;
  const watch = scope && doors.begin(scope, tree.signs, end);
  if (watch !== undefined) watches.add(watch);
  const over = parts.mayMake ? airlocks.beginMaking() : airlock?.begin(end);
  const unfollow = tree.signs.onChange((folder, name) => {
    if (folder === workspace && (name === undefined || name === '.git')) airlock?.checkReal();
  });
  const sideEffects = async (): Promise<CommandSideEffects> => {
    unfollow();
    const passed = [...parts.carried, ...((await over?.()) ?? [])];
    const restored = await parts.settle();
    const all = await tree.appeared();
    if (airlock !== undefined)
      for (const entry of all.filter(isRepository)) settleClone(airlock.place, entry);
    const git = { ...restored, ...(await parts.compare()) };
    const repositories = all.filter(isRepository);
    if (watch !== undefined) watches.delete(watch);
    const findings = watch?.close(repositories) ?? [];
    return {
      // A repository that was found harmless is nothing to tell.
      appeared: all.filter((path) => !repositories.includes(path)),
      quarantined: tree.quarantined(),
      findings: [...findings.map(({ text }) => text), ...airlockFindings(passed)],
      ...git,
    };
  };
  const close = async (): Promise<CommandSideEffects> => {
    const found = await sideEffects();
    // Not before: what was not looked at yet would be taken for the user's by the next command.
    ended();
    return found;
  };
  return { close };
}
