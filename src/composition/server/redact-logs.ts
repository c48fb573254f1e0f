import type { Container } from 'inversify';
import { Redactor } from '../../application/ports/audit/redactor.js';
import { Logger } from '../../application/ports/system/logger.js';
import { RedactingLogger } from '../../infrastructure/observability/redacting-logger.js';

/** An embedder's own logger gets no secrets either. */
export function redactLogs(container: Container): void {
  const logger = container.get(Logger);
  if (logger instanceof RedactingLogger) return;
  container.rebind(Logger).toConstantValue(new RedactingLogger(logger, container.get(Redactor)));
}
