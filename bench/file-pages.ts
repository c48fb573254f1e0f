import { performance } from 'node:perf_hooks';
import { residentBytes } from './process-usage.js';
import type { StdioClient } from './stdio-client.js';
import { resultOf } from './stdio-client.js';

export interface Paged {
  readonly found: number;
  /** From sending each request to the last byte of its answer; reading the answer is the client's own work. */
  readonly wallMs: number;
  /** Resident memory of the server after each page, in MB. */
  readonly memory: readonly number[];
}

interface ListAnswer {
  readonly value: readonly unknown[];
  readonly page?: { readonly next_cursor?: string };
}

/** Every page of a list, one after another. */
export async function takePages(client: StdioClient, tool: string, args: object): Promise<Paged> {
  const memory: number[] = [];
  let found = 0;
  let wallMs = 0;
  for (let cursor: string | undefined; ; ) {
    const id = memory.length + 1_000_000;
    const params = { name: tool, arguments: { ...args, ...(cursor !== undefined && { cursor }) } };
    const request = `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`;
    const started = performance.now();
    const answer = await client.exchange(request, 1);
    wallMs += performance.now() - started;
    memory.push(residentBytes(client.pid) / 1e6);
    const { value, page } = structured(resultOf(answer.toString(), id));
    found += value.length;
    cursor = page?.next_cursor;
    if (cursor === undefined) return { found, wallMs, memory };
  }
}

function structured(answer: unknown): ListAnswer {
  const { structuredContent } = answer as { readonly structuredContent?: ListAnswer };
  if (!Array.isArray(structuredContent?.value))
    throw new Error(`no list: ${JSON.stringify(answer).slice(0, 300)}`);
  return structuredContent;
}
