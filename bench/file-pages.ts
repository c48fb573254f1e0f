import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { childMicroseconds, cpuMicroseconds, residentBytes } from './process-usage.js';
import type { StdioClient } from './stdio-client.js';
import { resultOf } from './stdio-client.js';

export interface Paged {
  readonly found: number;
  /** From sending each request to the last byte of its answer; reading the answer is the client's own work. */
  readonly wallMs: number;
  /** CPU time of the server and of the programs it ran. */
  readonly cpuMs: number;
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
  const before = await usedBy(client.pid);
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
    if (cursor === undefined) {
      const cpuMs = ((await usedBy(client.pid)) - before) / 1000;
      return { found, wallMs, cpuMs, memory };
    }
  }
}

/** Once it is idle: a running slice counts only when it ends. */
async function usedBy(pid: number): Promise<number> {
  await sleep(10);
  return cpuMicroseconds(pid) + childMicroseconds(pid);
}

function structured(answer: unknown): ListAnswer {
  const { structuredContent } = answer as { readonly structuredContent?: ListAnswer };
  if (!Array.isArray(structuredContent?.value))
    throw new Error(`no list: ${JSON.stringify(answer).slice(0, 300)}`);
  return structuredContent;
}
