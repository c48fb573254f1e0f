import { isJsonObject } from '../../domain/json-value.js';
import type { Castellan } from './castellan.js';

const ARGUMENTS = { message: 'hello' };
const VERSION = '2025-11-25';

/** One call of a tool that echoes, for people who start the server for the first time: what it answered. */
export async function firstCall(
  castellan: Castellan,
  url: string,
  token: string | undefined,
): Promise<string> {
  // The token of an earlier start is not kept, so no client can be played without being given it.
  return token === undefined ? callInProcess(castellan) : callOverHttp(url, token);
}

async function callInProcess(castellan: Castellan): Promise<string> {
  const outcome = await castellan.execute('echo', ARGUMENTS);
  return outcome.success ? textOf(outcome.value.content) : outcome.error.message;
}

async function callOverHttp(url: string, token: string): Promise<string> {
  const headers: Record<string, string> = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    authorization: `Bearer ${token}`,
  };
  const post = (method: string, params: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    return fetch(url, { method: 'POST', headers, body });
  };
  const clientInfo = { name: 'first-call', version: '1' };
  const opened = await post('initialize', { protocolVersion: VERSION, capabilities: {}, clientInfo });
  headers['mcp-session-id'] = opened.headers.get('mcp-session-id') ?? '';
  const answer: unknown = await (await post('tools/call', { name: 'echo', arguments: ARGUMENTS })).json();
  await fetch(url, { method: 'DELETE', headers });
  const result = isJsonObject(answer) && isJsonObject(answer.result) ? answer.result : {};
  return Array.isArray(result.content) ? textOf(result.content) : JSON.stringify(answer);
}

function textOf(content: readonly unknown[]): string {
  return content
    .flatMap((block) => (isJsonObject(block) && typeof block.text === 'string' ? [block.text] : []))
    .join('\n');
}
