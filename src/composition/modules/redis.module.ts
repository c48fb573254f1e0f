import { randomBytes } from 'node:crypto';
import { type Container, ContainerModule, type ServiceIdentifier } from 'inversify';
import { AuditLog } from '../../application/ports/audit/audit-log.js';
import { Redactor } from '../../application/ports/audit/redactor.js';
import { SharedLocks } from '../../application/ports/file/shared-locks.js';
import { TokenLedger } from '../../application/ports/model/token-ledger.js';
import { ConsentMemory } from '../../application/ports/permission/consent-memory.js';
import { ResourceNotices } from '../../application/ports/resource/resource-notices.js';
import { ConsumedStates } from '../../application/ports/session/consumed-states.js';
import { EventStore } from '../../application/ports/session/event-store.js';
import { InstanceLink } from '../../application/ports/session/instance-link.js';
import { SessionDirectory } from '../../application/ports/session/session-directory.js';
import { WorkflowStore } from '../../application/ports/session/workflow-store.js';
import { Clock } from '../../application/ports/system/clock.js';
import { Logger } from '../../application/ports/system/logger.js';
import { SharedState } from '../../application/ports/system/shared-state.js';
import { RateLimits } from '../../application/ports/tool/rate-limits.js';
import { CoalescingResourceNotices } from '../../infrastructure/knowledge/coalescing-resource-notices.js';
import { RedisConsentMemory } from '../../infrastructure/redis/redis-consent-memory.js';
import { RedisConsumedStates } from '../../infrastructure/redis/redis-consumed-states.js';
import { RedisEventStore } from '../../infrastructure/redis/redis-event-store.js';
import { RedisInstanceLink } from '../../infrastructure/redis/redis-instance-link.js';
import { RedisLocks } from '../../infrastructure/redis/redis-locks.js';
import { RedisRateLimits } from '../../infrastructure/redis/redis-rate-limits.js';
import { RedisResourceNotices } from '../../infrastructure/redis/redis-resource-notices.js';
import { openRedisSecret } from '../../infrastructure/redis/redis-secret.js';
import { RedisSessionDirectory } from '../../infrastructure/redis/redis-session-directory.js';
import { RedisSharedState } from '../../infrastructure/redis/redis-shared-state.js';
import { type RedisPlace, RedisStore } from '../../infrastructure/redis/redis-store.js';
import { RedisTokenLedger } from '../../infrastructure/redis/redis-token-ledger.js';
import { RedisWorkflowStore } from '../../infrastructure/redis/redis-workflow-store.js';
import { InMemoryRateLimits } from '../../infrastructure/tool/in-memory-rate-limits.js';
import type { CastellanOptions } from '../configuration/castellan-options.js';
import type { Configuration } from '../configuration/configuration.js';
import { orThrow } from '../configuration/configuration-error.js';
import { packageVersion } from '../server/package-version.js';
import { openAuditLog } from './audit.module.js';

/** A session in Redis outlives its idle time a little: ending it is the business of an instance. */
const OUTLIVES_MS = 60_000;

/** Everything that one instance has in Redis, made together: each part says what it listens to before it connects. */
class RedisAdapters {
  readonly state: SharedState;
  readonly rates: RateLimits;
  readonly tokens: TokenLedger;
  readonly consents: ConsentMemory;
  readonly workflows: WorkflowStore;
  readonly events: EventStore;
  readonly sessions: SessionDirectory;
  readonly link: InstanceLink;
  readonly states: ConsumedStates;
  readonly notices: ResourceNotices;
  readonly locks: SharedLocks;

  constructor(place: RedisPlace, sessionIdleMs: number, logger: Logger, clock: Clock) {
    const store = new RedisStore(place, logger);
    this.state = new RedisSharedState(store);
    this.rates = new RedisRateLimits(store, new InMemoryRateLimits(clock));
    this.tokens = new RedisTokenLedger(store);
    this.consents = new RedisConsentMemory(store, logger);
    this.workflows = new RedisWorkflowStore(store, logger);
    this.events = new RedisEventStore(store, logger);
    this.sessions = new RedisSessionDirectory(store, sessionIdleMs + OUTLIVES_MS);
    this.states = new RedisConsumedStates(store, logger);
    this.link = new RedisInstanceLink(store, logger);
    this.locks = new RedisLocks(store, logger);
    this.notices = new RedisResourceNotices(store, new CoalescingResourceNotices(), logger);
  }
}

const Adapters: ServiceIdentifier<RedisAdapters> = Symbol.for('castellan.RedisAdapters');

/** Where this instance finds the others. */
export async function redisPlace(
  { settings, stateFolder, workspace }: Configuration,
  { environment = process.env }: CastellanOptions,
  url: string,
): Promise<RedisPlace> {
  return {
    url,
    service: settings.redis.service ?? workspace,
    secret: orThrow(await openRedisSecret(stateFolder, environment.CASTELLAN_REDIS_SECRET)),
    // Another one at each start: what an instance had does not come back with it.
    instance: randomBytes(6).toString('hex'),
    version: packageVersion,
  };
}

/** Puts what instances share into Redis. `parent`: a server of another folder in the same process, which has joined. */
export function redisModule(
  place: RedisPlace,
  configuration: Configuration,
  parent?: Container,
): ContainerModule {
  return new ContainerModule(({ bind, rebind }) => {
    if (parent === undefined) {
      bind(Adapters)
        .toResolvedValue(
          (logger, clock) =>
            new RedisAdapters(place, configuration.settings.http.sessionIdleMs, logger, clock),
          [Logger, Clock],
        )
        .inSingletonScope();
      rebind(SharedState).toResolvedValue(({ state }) => state, [Adapters]);
      rebind(ResourceNotices).toResolvedValue(({ notices }) => notices, [Adapters]);
      rebind(SessionDirectory).toResolvedValue(({ sessions }) => sessions, [Adapters]);
      rebind(InstanceLink).toResolvedValue(({ link }) => link, [Adapters]);
      bind(EventStore).toResolvedValue(({ events }) => events, [Adapters]);
    } else bind(Adapters).toDynamicValue(() => parent.get(Adapters));
    rebind(SharedLocks).toResolvedValue(({ locks }) => locks, [Adapters]);
    rebind(RateLimits).toResolvedValue(({ rates }) => rates, [Adapters]);
    rebind(TokenLedger).toResolvedValue(({ tokens }) => tokens, [Adapters]);
    rebind(ConsentMemory).toResolvedValue(({ consents }) => consents, [Adapters]);
    rebind(ConsumedStates).toResolvedValue(({ states }) => states, [Adapters]);
    rebind(WorkflowStore).toResolvedValue(({ workflows }) => workflows, [Adapters]);
    rebind(AuditLog)
      .toResolvedValue(
        (redactor, logger) => openAuditLog(configuration, redactor, logger, place.instance),
        [Redactor, Logger],
      )
      .inSingletonScope();
  });
}
