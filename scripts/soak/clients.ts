import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpClient, messagesOf } from '../../tests/support/http-client.js';
import { ModernClient } from '../../tests/support/modern-client.js';
import type { Service } from '../../tests/support/service.js';

/** The calls of one session take a few seconds in all. */
const CALLS = 60;
const PAUSE_MS = 40;
/** Sessions that nobody ends are ended by the servers. */
const LEAVE_WITHOUT_A_WORD = 0.1;

export interface SoakCount {
  calls: number;
  sessions: number;
  drops: number;
  /** What should not have happened, in words. */
  readonly faults: string[];
}

/**
 * One user after another: opens a session, listens, calls, loses connections, and leaves. Each place writes files of its
 * own: a write that meets another at the same moment fails and says so, which is no fault.
 */
export async function liveAsClients(
  service: Service,
  place: number,
  until: number,
  count: SoakCount,
): Promise<void> {
  while (Date.now() < until) {
    const client = service.client();
    const opened = await client.open();
    count.sessions += 1;
    if (opened.status !== 200) count.faults.push(`initialize: ${opened.status} ${opened.text.slice(0, 100)}`);
    let stream = await client.listen(() => undefined);
    for (let n = 0; n < CALLS && Date.now() < until; n += 1) {
      await oneCall(client, callNumber(n, place), n, count);
      await sleep(PAUSE_MS);
      if (n % 20 === 19) {
        stream.end();
        await stream.over;
        stream = await client.listen(() => undefined);
        count.drops += 1;
      }
    }
    stream.end();
    await stream.over;
    if (Math.random() >= LEAVE_WITHOUT_A_WORD) await client.send('DELETE', undefined);
  }
}

type Call = readonly [name: string, args: object];

async function oneCall(client: HttpClient, [name, args]: Call, n: number, count: SoakCount): Promise<void> {
  count.calls += 1;
  if (n % 13 === 12) {
    // Hangs up while the call runs.
    const params = { name, arguments: args };
    await client.begin({ jsonrpc: '2.0', id: n, method: 'tools/call', params })();
    count.drops += 1;
    return;
  }
  const answer =
    n % 17 === 16
      ? await new ModernClient(client).call('echo', { message: 'x' })
      : messagesOf(
          await client.post({
            jsonrpc: '2.0',
            id: n,
            method: 'tools/call',
            params: { name, arguments: args },
          }),
        );
  const text = JSON.stringify(answer);
  if (/"error":|"isError":true/.test(text)) count.faults.push(`${name}: ${text.slice(0, 300)}`);
}

function callNumber(n: number, place: number): Call {
  if (n % 30 === 29) return ['execute_command', { command: 'echo soak' }];
  const calls = [
    ['echo', { message: 'x'.repeat(200) }],
    ['write_file', { path: `soak-${place}-${n % 7}.txt`, content: `${n}` }],
    ['write_file', { path: `log-${place}-${n % 7}.txt`, content: 'x', mode: 'append' }],
    ['list_directory', { path: '.' }],
    ['search_files', { pattern: 'soak-*' }],
  ] as const;
  return calls[n % calls.length] ?? calls[0];
}
