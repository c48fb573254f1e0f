import type { SandboxJob } from '../../../application/ports/command/command-sandbox.js';
import type { Identity } from '../process/user-namespace-pool.js';
import type { CommandSession } from '../session/command-session.js';
import type { BubblewrapHost } from './bubblewrap-host.js';
import type { CommandQuarters } from './command-quarters.js';
import { PrivateQuarters } from './private-quarters.js';
import { SessionQuarters } from './session-quarters.js';

/** The shells at the gates and what sets up sandboxes count as well. */
const OWN_PROCESSES = 64;

/** The session that the job names, where there can be one. */
export async function sessionOf(
  { sessions }: BubblewrapHost,
  { session, systemCalls, limits }: SandboxJob,
  identity: Identity,
): Promise<CommandSession | undefined> {
  // Without the filter a command could leave the namespaces by which its processes are found.
  if (session === undefined || systemCalls !== 'filtered' || sessions === undefined) return undefined;
  return sessions.of({ id: session, identity, maxProcesses: limits.processes + OWN_PROCESSES });
}

/** In its session, or alone. */
export async function enterQuarters(
  host: BubblewrapHost,
  job: SandboxJob,
  identity: Identity,
): Promise<CommandQuarters> {
  for (;;) {
    const session = await sessionOf(host, job, identity);
    if (session === undefined) return new PrivateQuarters(host, await host.namespaces?.take(identity));
    const quarters = await SessionQuarters.enter(host, job, identity, session);
    if (quarters !== undefined) return quarters;
  }
}
