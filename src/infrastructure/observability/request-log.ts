import type { ObserveCall } from '../../application/ports/system/call-observer.js';
import type { Logger } from '../../application/ports/system/logger.js';

/** One line for each call: who called what, how it went and how long it took. */
export function requestLog(logger: Logger): ObserveCall {
  return ({ correlationId, tool, caller, principal, sessionId, durationMs, failure, reason }) =>
    logger.info('call', {
      correlationId,
      tool: tool ?? 'unknown',
      caller: caller?.id ?? 'unknown',
      principal: principal ?? 'unknown',
      transport: caller?.transport,
      ...(caller?.issuer !== undefined && { issuer: caller.issuer }),
      session: sessionId,
      outcome: failure ?? 'success',
      ...(reason !== undefined && { reason }),
      durationMs: Math.round(durationMs * 1000) / 1000,
    });
}
