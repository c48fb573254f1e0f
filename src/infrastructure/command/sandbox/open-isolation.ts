import type { SandboxJob } from '../../../application/ports/command/command-sandbox.js';
import type { MountPlan } from '../mounts/mount-plan.js';
import type { Identity } from '../process/command-identity.js';
import type { CommandSession } from '../session/command-session.js';
import type { BubblewrapHost } from './bubblewrap-host.js';
import type { CommandIsolation } from './command-isolation.js';
import { PrivateIsolation } from './private-isolation.js';
import { SessionIsolation } from './session-isolation.js';

/** The shells at the gates and what sets up sandboxes count as well. */
const OWN_PROCESSES = 64;

/** In its session, alone with a view of its own, or with nothing but bwrap where that is all there is. */
export async function openIsolation(
  host: BubblewrapHost,
  job: SandboxJob,
  identity: Identity,
  plan: MountPlan,
): Promise<CommandIsolation> {
  if (host.namespaces === undefined) return PrivateIsolation.plain(host, job, identity, plan);
  for (;;) {
    const session = await sessionOf(host, job, identity);
    if (session === undefined)
      return PrivateIsolation.open(host, await host.namespaces.take(identity), job, identity, plan);
    const isolation = await SessionIsolation.open(host, session, job, identity, plan);
    if (isolation !== undefined) return isolation;
  }
}

async function sessionOf(
  { sessions }: BubblewrapHost,
  { session, systemCalls, limits }: SandboxJob,
  identity: Identity,
): Promise<CommandSession | undefined> {
  // Without the filter a command could leave the namespaces by which its processes are found.
  if (session === undefined || systemCalls !== 'filtered' || sessions === undefined) return undefined;
  return sessions.of({ id: session, identity, maxProcesses: limits.processes + OWN_PROCESSES });
}
