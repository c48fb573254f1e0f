import { isJsonObject } from '../../../domain/json-value.js';
import { isToolset, TOOLSETS } from '../../../domain/tool/toolset.js';
import { classify, type RpcRequest } from '../surface/json-rpc.js';
import type { Session2025Connection } from './session-2025-connection.js';

/** What a client chose since the handshake, for another instance to go on with. */
export function choicesOf({ logLevel, subscriptions, session }: Session2025Connection): string {
  return JSON.stringify({
    level: logLevel.level,
    uris: subscriptions.uris,
    sets: TOOLSETS.filter((set) => session.hasToolset(set)),
  });
}

export function applyChoices(connection: Session2025Connection, text: string): void {
  if (text === '' || text === choicesOf(connection)) return;
  const choices: unknown = JSON.parse(text);
  if (!isJsonObject(choices)) return;
  const { level, uris, sets } = choices;
  connection.logLevel.set(level);
  if (Array.isArray(uris))
    connection.subscriptions.replace(uris.filter((uri): uri is string => typeof uri === 'string'));
  for (const set of Array.isArray(sets) ? sets : []) if (isToolset(set)) connection.session.addToolset(set);
}

/** What initialize asked for; undefined where it is none of our own. */
export function parseHandshake(text: string): RpcRequest | undefined {
  const incoming = classify(JSON.parse(text));
  return incoming.kind === 'request' && incoming.message.method === 'initialize'
    ? incoming.message
    : undefined;
}
