import { Container, ContainerModule, type ServiceIdentifier } from 'inversify';
import type { CastellanOptions } from './configuration/castellan-options.js';
import type { Configuration } from './configuration/configuration.js';
import { auditModule } from './modules/audit.module.js';
import { callModule } from './modules/call.module.js';
import { commandModule } from './modules/command.module.js';
import type { Bind, ConceptModule } from './modules/concept-module.js';
import { fileModule } from './modules/file.module.js';
import { flagModule } from './modules/flag.module.js';
import { knowledgeModule } from './modules/knowledge.module.js';
import { mcpModule } from './modules/mcp.module.js';
import { modelModule } from './modules/model.module.js';
import { permissionModule } from './modules/permission.module.js';
import { promptModule } from './modules/prompt.module.js';
import { sessionModule } from './modules/session.module.js';
import { systemModule } from './modules/system.module.js';
import { toolModule } from './modules/tool.module.js';

const CONCEPTS: readonly ConceptModule[] = [
  systemModule,
  auditModule,
  permissionModule,
  sessionModule,
  callModule,
  toolModule,
  fileModule,
  commandModule,
  flagModule,
  knowledgeModule,
  modelModule,
  promptModule,
  mcpModule,
];

/** All that the modules have bound, and so what a server cannot do without. */
export const Bound: ServiceIdentifier<ReadonlySet<ServiceIdentifier>> = Symbol.for('castellan.Bound');

/** All of Castellan, for a container of yours. */
export function castellanModule(
  configuration: Configuration,
  options: CastellanOptions = {},
): ContainerModule {
  return new ContainerModule(({ bind }) => {
    const bound = new Set<ServiceIdentifier>();
    const noted: Bind = (token) => {
      bound.add(token);
      return bind(token);
    };
    const server = { configuration, options, environment: options.environment ?? process.env };
    for (const concept of CONCEPTS) concept(noted, server);
    bind(Bound).toConstantValue(bound);
  });
}

/** `shared`: the module of what several instances share, where there are several. */
export function createContainer(
  configuration: Configuration,
  options: CastellanOptions,
  shared?: ContainerModule,
): Container {
  const container = new Container();
  container.load(castellanModule(configuration, options));
  if (shared !== undefined) container.load(shared);
  options.configure?.(container);
  return container;
}

/** Asks for everything whether it is bound; resolving instead would wake the lazy parts. */
export function checkBindings(container: Container): void {
  if (!container.isBound(Bound))
    throw new Error('Castellan cannot start: its module is missing. Load castellanModule(configuration).');
  const missing = [...container.get(Bound)].filter((token) => !container.isBound(token));
  if (missing.length === 0) return;
  const names = missing.map((token) => (typeof token === 'function' ? token.name : String(token)));
  throw new Error(`Castellan cannot start: nothing is bound to ${names.join(', ')}. Bind these yourself.`);
}
