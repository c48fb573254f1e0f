import { Container, type ServiceIdentifier } from 'inversify';
import { ToolSwitches } from '../application/flag/tool-switches.js';
import { ModelLimits } from '../application/model/model-limits.js';
import { CallGate } from '../application/ports/call-gate.js';
import { CircuitBreakers } from '../application/ports/circuit-breakers.js';
import { Clock } from '../application/ports/clock.js';
import { FlagSchemas } from '../application/ports/flag-schemas.js';
import { FlagStore } from '../application/ports/flag-store.js';
import { IdSource } from '../application/ports/id-source.js';
import { InputValidator } from '../application/ports/input-validator.js';
import { LanguageModel } from '../application/ports/language-model.js';
import { Logger } from '../application/ports/logger.js';
import { Redactor } from '../application/ports/redactor.js';
import { ResourceProvider } from '../application/ports/resource-provider.js';
import { SessionStore } from '../application/ports/session-store.js';
import { ToolRegistry } from '../application/ports/tool-registry.js';
import { ToolSandbox } from '../application/ports/tool-sandbox.js';
import { ToolStatistics } from '../application/ports/tool-statistics.js';
import { BaseBudget } from '../application/tool/call-budget.js';
import { ToolCatalogue } from '../application/tool/tool-catalogue.js';
import { ToolNaming } from '../application/tool/tool-naming.js';
import { ProtocolOptions } from '../presentation/mcp/protocol-options.js';
import { applicationModule } from './application.module.js';
import type { CastellanOptions } from './castellan-options.js';
import { infrastructureModule } from './infrastructure.module.js';
import { presentationModule } from './presentation.module.js';
import { Descriptions, toolsModule } from './tools.module.js';

const REQUIRED: readonly ServiceIdentifier<unknown>[] = [
  BaseBudget,
  CallGate,
  CircuitBreakers,
  Clock,
  Descriptions,
  FlagSchemas,
  FlagStore,
  IdSource,
  InputValidator,
  LanguageModel,
  Logger,
  ModelLimits,
  ProtocolOptions,
  Redactor,
  ResourceProvider,
  SessionStore,
  ToolCatalogue,
  ToolNaming,
  ToolRegistry,
  ToolSandbox,
  ToolStatistics,
  ToolSwitches,
];

export function createContainer(options: CastellanOptions): Container {
  const container = new Container();
  container.load(
    infrastructureModule(options),
    applicationModule(),
    presentationModule(options),
    toolsModule(options),
  );
  options.configure?.(container);
  return container;
}

/** Asks for every port whether it is bound; resolving instead would wake the lazy ones. */
export function checkBindings(container: Container): void {
  const missing = REQUIRED.filter((token) => !container.isBound(token));
  if (missing.length === 0) return;
  throw new Error(
    `Castellan cannot start: nothing is bound to ${missing.map(String).join(', ')}. ` +
      'Load all four of its modules, or bind these yourself.',
  );
}
