import type { SandboxJob } from '../../../application/ports/command/command-sandbox.js';
import type { Identity } from '../process/user-namespace-pool.js';
import type { BubblewrapHost } from './bubblewrap-host.js';
import type { CommandQuarters } from './command-quarters.js';
import { PrivateQuarters } from './private-quarters.js';
import { SessionQuarters } from './session-quarters.js';

/** In the session that the job names, where there can be one; else alone. */
export async function enterQuarters(
  host: BubblewrapHost,
  job: SandboxJob,
  identity: Identity,
): Promise<CommandQuarters> {
  // Without the filter a command could leave the namespaces by which its processes are found.
  if (job.session !== undefined && job.systemCalls === 'filtered' && host.sessions !== undefined)
    return SessionQuarters.enter(host, host.sessions, { ...job, session: job.session }, identity);
  return new PrivateQuarters(host, await host.namespaces?.take(identity));
}
