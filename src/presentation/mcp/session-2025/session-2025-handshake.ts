import { isJsonObject } from '../../../domain/json-value.js';
import { Result } from '../../../domain/result.js';
import type { ClientInfo } from '../../../domain/session/session.js';
import { isToolset, TOOLSETS, type Toolset } from '../../../domain/tool/toolset.js';
import type { ProtocolOptions } from '../surface/protocol-options.js';

/** Every revision of the 2025 era, newest first; a test compares it with the SDK's own list. */
export const SESSION_VERSIONS = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
] as const;

export interface Handshake {
  readonly version: string;
  readonly client: ClientInfo;
  readonly answer: Readonly<Record<string, unknown>>;
}

/**
 * Answers initialize as the SDK's Server does; a test holds the two answers against each other. It is done
 * here because loading the SDK takes as long as starting Node, and most conversations never need more of it.
 */
export function answerInitialize(
  params: Readonly<Record<string, unknown>> | undefined,
  { server, instructions }: ProtocolOptions,
): Result<Handshake> {
  const { protocolVersion, capabilities, clientInfo } = params ?? {};
  const problems: string[] = [];
  if (typeof protocolVersion !== 'string')
    problems.push('protocolVersion must be a string such as "2025-11-25"');
  if (!isJsonObject(capabilities)) problems.push('capabilities must be an object');
  const client = readClient(clientInfo, capabilities);
  if (client === undefined) problems.push('clientInfo must be an object with name and version');
  if (problems.length > 0 || client === undefined) {
    return Result.failure(`Invalid params for initialize: ${problems.join('; ')}.`, 'InvalidParams');
  }
  const version = SESSION_VERSIONS.find((known) => known === protocolVersion) ?? SESSION_VERSIONS[0];
  return Result.ok({
    version,
    client,
    answer: { protocolVersion: version, capabilities: SERVER_CAPABILITIES, serverInfo: server, instructions },
  });
}

export const SERVER_CAPABILITIES = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
};

function readClient(info: unknown, capabilities: unknown): ClientInfo | undefined {
  if (!isJsonObject(info)) return undefined;
  const { name, version } = info;
  if (typeof name !== 'string' || typeof version !== 'string') return undefined;
  const sampling = isJsonObject(capabilities) && isJsonObject(capabilities.sampling);
  return { name, version, ...(sampling && { sampling }) };
}

/** Names the sets of tools that a client wants to see, in the `_meta` of initialize. */
const TOOLSETS_META = 'castellan/toolsets';

/** undefined: those that the server shows. Names that are no sets are passed over. */
export function wantedToolsets(
  params: Readonly<Record<string, unknown>> | undefined,
): readonly Toolset[] | undefined {
  const wanted = isJsonObject(params?._meta) ? params._meta[TOOLSETS_META] : undefined;
  if (wanted === 'all') return TOOLSETS;
  return Array.isArray(wanted) ? wanted.filter(isToolset) : undefined;
}
