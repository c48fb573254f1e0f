import { ContainerModule } from 'inversify';
import { CallGate } from '../application/ports/call-gate.js';
import { CircuitBreakers } from '../application/ports/circuit-breakers.js';
import { Clock } from '../application/ports/clock.js';
import { IdSource } from '../application/ports/id-source.js';
import { InputValidator } from '../application/ports/input-validator.js';
import { Logger } from '../application/ports/logger.js';
import { Redactor } from '../application/ports/redactor.js';
import { SessionStore } from '../application/ports/session-store.js';
import { ToolRegistry } from '../application/ports/tool-registry.js';
import { ToolSandbox } from '../application/ports/tool-sandbox.js';
import { ToolStatistics } from '../application/ports/tool-statistics.js';
import { BaseBudget, DEFAULT_BUDGET } from '../application/tool/call-budget.js';
import { ToolNaming } from '../application/tool/tool-naming.js';
import { PinoLogger } from '../infrastructure/observability/pino-logger.js';
import { builtinRedactor } from '../infrastructure/observability/redaction.js';
import { InProcessToolSandbox } from '../infrastructure/sandbox/in-process-tool-sandbox.js';
import { InMemorySessionStore } from '../infrastructure/session/in-memory-session-store.js';
import { RandomIdSource } from '../infrastructure/system/random-id-source.js';
import { SystemClock } from '../infrastructure/system/system-clock.js';
import { CockatielBreakers } from '../infrastructure/tool/cockatiel-breakers.js';
import { InMemoryCallGate } from '../infrastructure/tool/in-memory-call-gate.js';
import { InMemoryToolRegistry } from '../infrastructure/tool/in-memory-tool-registry.js';
import { InMemoryToolStatistics } from '../infrastructure/tool/in-memory-tool-statistics.js';
import { TypeboxInputValidator } from '../infrastructure/tool/typebox-input-validator.js';
import type { CastellanOptions } from './castellan-options.js';
import { bindFlags } from './flag-bindings.js';
import { bindModel } from './model-bindings.js';

/** The adapters, and the values that configuration cuts up for them. */
export function infrastructureModule(options: CastellanOptions = {}): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(BaseBudget).toConstantValue({ ...DEFAULT_BUDGET, ...options.budget });
    bind(ToolNaming).toConstantValue({ prefix: process.env.MCP_TOOL_PREFIX ?? options.toolPrefix ?? '' });
    bind(Redactor).toConstantValue(builtinRedactor);
    bind(Logger)
      .toResolvedValue((redactor) => new PinoLogger(options.logLevel ?? 'info', redactor), [Redactor])
      .inSingletonScope();
    bind(Clock).to(SystemClock).inSingletonScope();
    bind(IdSource).to(RandomIdSource).inSingletonScope();
    bind(SessionStore).to(InMemorySessionStore).inSingletonScope();
    bind(ToolRegistry).to(InMemoryToolRegistry).inSingletonScope();
    bind(InputValidator).to(TypeboxInputValidator).inSingletonScope();
    bind(ToolSandbox).to(InProcessToolSandbox).inSingletonScope();
    bind(CallGate).to(InMemoryCallGate).inSingletonScope();
    bind(CircuitBreakers).to(CockatielBreakers).inSingletonScope();
    bind(ToolStatistics).to(InMemoryToolStatistics).inSingletonScope();
    bindFlags(bind, options);
    bindModel(bind, options);
  });
}
