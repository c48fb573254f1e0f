import { McpServer, type ServerOptions } from '@modelcontextprotocol/server';
import type { ListToolsHandler } from '../../../application/tool/list-tools.js';
import { isJsonObject } from '../../../domain/json-value.js';
import type { Session } from '../../../domain/session/session.js';
import { SERVER_CAPABILITIES } from '../session-2025/session-2025-handshake.js';
import type { ProtocolOptions } from '../surface/protocol-options.js';
import type { ModernRequests } from './modern-requests.js';

const MINUTE = 60_000;
/** What a caller sees depends on its roles; files change without notice, lists seldom. */
const OWN = { ttlMs: 5000, cacheScope: 'private' } as const;
const CACHE_HINTS: NonNullable<ServerOptions['cacheHints']> = {
  'server/discover': { ttlMs: 5 * MINUTE, cacheScope: 'public' },
  'tools/list': OWN,
  'prompts/list': OWN,
  'resources/list': OWN,
  'resources/templates/list': OWN,
  'resources/read': { ttlMs: 0, cacheScope: 'private' },
};

/** Answered by the surface as they are. */
const PLAIN_METHODS = [
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'completion/complete',
] as const;

/** Parameters are checked where they are used, as for the other revisions. */
const ANY_PARAMS = {
  params: {
    '~standard': {
      version: 1,
      vendor: 'castellan',
      validate: (value: unknown) => ({ value }),
    },
  },
} as const;

function paramsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(value) ? value : {};
}

/** The SDK's server for one request, or for one connection over stdio, with nothing of its own but the protocol. */
export class ModernServer extends McpServer {
  constructor(
    options: ProtocolOptions,
    private readonly session: Session,
    private readonly tools: ListToolsHandler,
    requests: ModernRequests,
  ) {
    super(options.server, {
      capabilities: SERVER_CAPABILITIES,
      instructions: options.instructions,
      cacheHints: CACHE_HINTS,
      jsonSchemaValidator: NO_VALIDATOR,
    });
    for (const method of PLAIN_METHODS) {
      this.server.setRequestHandler(method, ANY_PARAMS, (params) =>
        requests.answer(method, session, paramsOf(params)),
      );
    }
    this.server.setRequestHandler('tools/call', ANY_PARAMS, (params, context) =>
      requests.call(session, paramsOf(params), context),
    );
    this.server.setRequestHandler('prompts/get', ANY_PARAMS, (params, context) =>
      requests.prompt(session, paramsOf(params), context),
    );
  }

  /** The SDK compares headers with the arguments that a schema marks with `x-mcp-header`. */
  override toolInputSchemaJson(name: string): Record<string, unknown> | undefined {
    const schema = this.tools.find(this.session, name)?.inputSchema;
    return schema && { ...schema };
  }
}

/** The SDK checks forms with it, which are checked by the call channel here. */
const NO_VALIDATOR: NonNullable<ServerOptions['jsonSchemaValidator']> = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'Not used here.' }),
};
