import type { EchoCall, Subject } from './bench-suite.js';
import { BENCH_POLICY } from './file-ground.js';
import { resultOf, StdioClient } from './stdio-client.js';

/** A server that has been initialized and has an echo call. */
export interface ReadyServer {
  readonly echo: EchoCall;
  readonly client: StdioClient;
}

// Ids of the timed calls start above those of the client's own requests.
export const FIRST_ECHO_ID = 1000;

/** Under bench/bench-policy.yaml: everything on, limits out of the way. */
export async function startEchoServer(subject: Subject): Promise<ReadyServer> {
  if (subject.echo === undefined) throw new Error(`${subject.name} has no echo call`);
  const env = { ...subject.server.env, CASTELLAN_POLICY: BENCH_POLICY, CASTELLAN_LOG_LEVEL: 'info' };
  const client = new StdioClient({ ...subject.server, env });
  try {
    await client.initialize();
    return { client, echo: subject.echo };
  } catch (error) {
    await client.close();
    throw error;
  }
}

export function echoLine(echo: EchoCall, id: number, message: string): string {
  const params = { name: echo.tool, arguments: { message } };
  return `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`;
}

/** Throws unless the raw answers are exactly the echoes of the ids, in any order. */
export function checkEchoes(raw: Buffer, ids: readonly number[], expectedText: string): void {
  const open = new Set(ids);
  for (const line of raw.toString().trimEnd().split('\n')) {
    const parsed: unknown = JSON.parse(line);
    const id = typeof parsed === 'object' && parsed !== null && 'id' in parsed ? parsed.id : undefined;
    if (typeof id !== 'number' || !open.delete(id)) throw new Error(`stray line ${line.slice(0, 200)}`);
    const text = textOf(resultOf(line, id));
    if (text !== expectedText) throw new Error(`wrong echo ${JSON.stringify(text)?.slice(0, 200)}`);
  }
  if (open.size > 0) throw new Error(`${open.size} of ${ids.length} calls were never answered`);
}

function textOf(result: unknown): unknown {
  if (typeof result !== 'object' || result === null || !('content' in result)) return undefined;
  const first: unknown = Array.isArray(result.content) ? result.content[0] : undefined;
  return typeof first === 'object' && first !== null && 'text' in first ? first.text : undefined;
}
