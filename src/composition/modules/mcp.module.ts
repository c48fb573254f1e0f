import { LazyTracer } from '../../infrastructure/observability/lazy-tracer.js';
import { Modern2026 } from '../../presentation/mcp/modern-2026/modern-2026.js';
import { StateBinding } from '../../presentation/mcp/modern-2026/state-binding.js';
import { Session2025Connections } from '../../presentation/mcp/session-2025/session-2025-connections.js';
import { StdioServer } from '../../presentation/mcp/stdio/stdio-server.js';
import { AnswerWriter } from '../../presentation/mcp/surface/answer-writer.js';
import { ClientNotices } from '../../presentation/mcp/surface/client-notices.js';
import { PromptSurface } from '../../presentation/mcp/surface/prompt-surface.js';
import { ProtocolOptions } from '../../presentation/mcp/surface/protocol-options.js';
import { ProtocolSurface } from '../../presentation/mcp/surface/protocol-surface.js';
import { HttpSetup } from '../server/http-setup.js';
import { packageVersion } from '../server/package-version.js';
import { type Bind, bindSelves, type ServerParts } from './concept-module.js';

const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

const INSTRUCTIONS = [
  'Castellan gives you tools under a permission policy that the user can read.',
  'Paths are relative to the workspace or absolute. Long answers come in parts; the last block says how to go on.',
  'A refusal says what was expected, what came and what to do next: follow it instead of trying variants.',
  'Tools that require an explicit action run only on the exact instruction of the user.',
  'Tools come in sets: enable_toolset, where it is listed, shows those that are not and adds one.',
].join('\n');

/** What speaks to clients. */
export function mcpModule(bind: Bind, { configuration, options, environment }: ServerParts): void {
  bind(ProtocolOptions).toConstantValue({
    get errorStyle() {
      return options.errorStyle ?? configuration.live.current.errorStyle;
    },
    // Not live: the schemas of answers were listed with it.
    answers: options.answers ?? configuration.settings.answers,
    get answerTokens() {
      return options.answerTokens ?? configuration.live.current.answerTokens;
    },
    maxMessageBytes: options.maxMessageBytes ?? MAX_MESSAGE_BYTES,
    server: { name: 'castellan', title: 'Castellan', version: packageVersion },
    instructions: INSTRUCTIONS,
  });
  bind(HttpSetup).toConstantValue({
    settings: configuration.settings.http,
    stateFolder: configuration.stateFolder,
    environment,
    workspace: configuration.workspace,
    logRequests: configuration.settings.log.requests,
    options: { ...options, ...configuration.files },
  });
  bind(ProtocolSurface)
    .toSelf()
    .inSingletonScope()
    .onActivation((_context, surface) => {
      if (configuration.settings.telemetry.traces) surface.tracer = new LazyTracer();
      return surface;
    });
  bindSelves(bind, AnswerWriter, PromptSurface, ClientNotices, StateBinding);
  bindSelves(bind, Session2025Connections, Modern2026, StdioServer);
}
