import { tmpdir } from 'node:os';
import { Container } from 'inversify';
import type { CallBudget } from '../application/call/call-budget.js';
import { AuditLog } from '../application/ports/audit/audit-log.js';
import { PolicySource } from '../application/ports/permission/policy-source.js';
import { Clock } from '../application/ports/system/clock.js';
import { IdSource } from '../application/ports/system/id-source.js';
import { Logger } from '../application/ports/system/logger.js';
import { ToolCatalogue } from '../application/tool/tool-catalogue.js';
import type { ToolDefinition } from '../application/tool/tool-definition.js';
import { readConfiguration } from '../composition/configuration/configuration.js';
import { castellanModule } from '../composition/container.js';
import { Castellan } from '../composition/server/castellan.js';
import type { Result } from '../domain/result.js';
import type { ToolError } from '../domain/tool/tool-error.js';
import type { ToolResult } from '../domain/tool/tool-result.js';
import { ManualClock } from './manual-clock.js';
import { OpenPolicy } from './open-policy.js';
import { RecordingAuditLog } from './recording-audit-log.js';
import { RecordingLogger } from './recording-logger.js';
import { SequentialIds } from './sequential-ids.js';

export interface CallToolOptions {
  /** What `run` gets as its needs, by the names the definition gives them. */
  readonly needs?: Readonly<Record<string, unknown>>;
  readonly budget?: Partial<CallBudget>;
  readonly logger?: Logger;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
  /** Everything is allowed where none is given: a tool's own test is not about the policy. */
  readonly policy?: PolicySource;
  readonly audit?: AuditLog;
  /** The folder that relative paths mean. */
  readonly workspace?: string;
}

/** One call of one tool through the real pipeline: validation, limits and sandbox are those of the server. */
export async function callTool(
  definition: ToolDefinition,
  args: Readonly<Record<string, unknown>> = {},
  options: CallToolOptions = {},
): Promise<Result<ToolResult, ToolError>> {
  const castellan = Castellan.open(await containerFor(definition, options));
  try {
    return await castellan.execute(definition.name, args, options.signal && { signal: options.signal });
  } finally {
    await castellan.close();
  }
}

async function containerFor(definition: ToolDefinition, options: CallToolOptions): Promise<Container> {
  const workspace = options.workspace ?? tmpdir();
  const own = {
    workspace,
    environment: { HOME: workspace },
    ...(options.budget && { budget: options.budget }),
  };
  const configuration = await readConfiguration(own);
  const container = new Container();
  container.load(castellanModule(configuration, own));
  container.rebind(ToolCatalogue).toConstantValue({ definitions: [definition] });
  container.rebind(Logger).toConstantValue(options.logger ?? new RecordingLogger());
  container.rebind(Clock).toConstantValue(options.clock ?? new ManualClock());
  container.rebind(IdSource).toConstantValue(new SequentialIds());
  container.rebind(PolicySource).toConstantValue(options.policy ?? new OpenPolicy());
  container.rebind(AuditLog).toConstantValue(options.audit ?? new RecordingAuditLog());
  for (const [name, fake] of Object.entries(options.needs ?? {})) bindNeed(container, definition, name, fake);
  return container;
}

function bindNeed(container: Container, definition: ToolDefinition, name: string, fake: unknown): void {
  const token = definition.needs[name];
  if (token === undefined) {
    throw new Error(
      `${definition.name} has no need called "${name}"; it has ${Object.keys(definition.needs).join(', ') || 'none'}.`,
    );
  }
  if (container.isBound(token)) container.unbind(token);
  container.bind(token).toConstantValue(fake);
}
