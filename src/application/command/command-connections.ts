import { inject, injectable } from 'inversify';
import {
  HostAccess,
  type HostTerms,
  type NamedPort,
  WEB_PORTS,
} from '../../domain/permission/network/host-access.js';
import type { ToolContext } from '../call/tool-context.js';
import { AuditLog } from '../ports/audit/audit-log.js';
import type { HostConnection, HostNetwork } from '../ports/command/host-network.js';
import { Clock } from '../ports/system/clock.js';
import { Logger } from '../ports/system/logger.js';

const TOOL = 'execute_command';
const MOST_SHOWN = 5;
const MOST_KEPT = 1000;

type ConnectingCall = Pick<ToolContext, 'grant' | 'session' | 'correlationId'>;

/** Gives commands the network that their policy lists, and records every connection that they make. */
@injectable()
export class CommandConnections {
  constructor(
    @inject(AuditLog) private readonly audit: AuditLog,
    @inject(Logger) private readonly logger: Logger,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** The network of one command. */
  open(terms: readonly HostTerms[], call: ConnectingCall): HostNetwork {
    const refused = new Map<string, HostConnection>();
    return {
      access: new HostAccess(terms),
      onRefused: (connection) => {
        if (refused.size < MOST_KEPT) refused.set(addressOf(connection), connection);
      },
      onConnection: (connection, alone) => void this.#record(connection, alone, call),
      explain: () => explain([...refused.values()], call.grant),
    };
  }

  async #record(
    connection: HostConnection,
    alone: boolean,
    { grant, session, correlationId }: ConnectingCall,
  ): Promise<void> {
    const { id, transport } = session.caller;
    const name = grant.policy.principalOf(session.caller)?.name ?? id;
    const recorded = await this.audit.connection({
      at: this.clock.now(),
      correlationId,
      sessionId: session.id,
      caller: { id, transport, name },
      tool: TOOL,
      alone,
      connection,
    });
    if (!recorded.success)
      this.logger.warn('A connection could not be recorded', { correlationId, why: recorded.error });
  }
}

function explain(
  refused: readonly HostConnection[],
  { policy }: ConnectingCall['grant'],
): string | undefined {
  if (refused.length === 0) return undefined;
  const shown = refused.slice(0, MOST_SHOWN).map((one) => `${addressOf(one)} (${one.why})`);
  const more = refused.length > MOST_SHOWN ? ` and ${refused.length - MOST_SHOWN} more` : '';
  const missing = refused.filter(({ unlisted }) => unlisted).slice(0, MOST_SHOWN);
  const advice = missing.length === 0 ? '' : policy.networkAdvice(TOOL, missing.map(ruleFor));
  return `Refused by the policy: ${shown.join(', ')}${more}.${advice}`;
}

function addressOf({ host, port }: Pick<HostConnection, 'host' | 'port'>): string {
  return port === undefined ? host : textOf({ host, port });
}

function ruleFor({ host, port }: HostConnection): string {
  return addressOf({ host, port });
}

/** As rules write it: without the ports that a rule without one is about. */
function textOf({ host, port }: NamedPort): string {
  return WEB_PORTS.includes(port) ? host : `${host}:${port}`;
}
