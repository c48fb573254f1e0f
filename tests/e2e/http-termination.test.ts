import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { eventually } from '../support/eventually.js';
import { HttpClient } from '../support/http-client.js';

const COMMAND = resolve(import.meta.dirname, '../../dist/main.js');
const TOKEN = 'a-token-for-the-built-server';

describe('the built server over HTTP', () => {
  let folder: string;
  let server: ChildProcess;
  let printed = '';
  let url = '';

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-http-'));
    printed = '';
    server = spawn(process.execPath, [COMMAND, 'serve', '--http', '--port', '0', '--workspace', folder], {
      env: { PATH: process.env.PATH, HOME: folder, CASTELLAN_TOKEN: TOKEN },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const output of [server.stdout, server.stderr])
      output?.on('data', (part) => (printed += String(part)));
    await eventually('it listens', () => /serves MCP at (\S+)/.test(printed), 60_000);
    url = /serves MCP at (\S+)/.exec(printed)?.[1] ?? '';
  });
  afterEach(() => {
    server.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  it('prints where it is and how to connect, and never a token that was given', () => {
    expect(printed).to.contain('claude mcp add --transport http').and.to.contain('/healthz');
    expect(printed).not.to.contain(TOKEN);
  });

  it('ends on SIGTERM under load: what it took is answered, what comes later is refused cleanly', async () => {
    const client = new HttpClient(url, TOKEN);
    await client.open();
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    const outcomes = new Map<string, number>();
    let stopping = false;
    const one = (id: number): Promise<string> =>
      new Promise((done) => {
        const body = JSON.stringify({
          jsonrpc: '2.0',
          id,
          method: 'tools/call',
          params: { name: 'echo', arguments: { message: `m${id}` } },
        });
        const headers = {
          authorization: `Bearer ${TOKEN}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-session-id': client.session,
        };
        const sent = request(url, { method: 'POST', agent, headers }, (answer) => {
          let text = '';
          answer.on('data', (part) => (text += String(part)));
          answer.on('end', () => {
            const good = answer.statusCode === 200 && text.includes(`Echo: m${id}`);
            done(good ? 'answered' : answer.statusCode === 503 ? 'refused' : `${answer.statusCode} ${text}`);
          });
          answer.on('error', () => done('lost in the middle of an answer'));
        });
        sent.on('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
        sent.end(body);
      });
    let next = 0;
    const worker = async (): Promise<void> => {
      for (;;) {
        next += 1;
        const outcome = await one(next);
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        if (stopping && outcome !== 'answered' && outcome !== 'refused') return;
      }
    };
    const workers = Promise.all(Array.from({ length: 8 }, worker));
    await eventually('there is load', () => (outcomes.get('answered') ?? 0) > 50);
    stopping = true;
    server.kill('SIGTERM');
    await eventually('it ends', () => server.exitCode !== null, 30_000);
    await workers;
    agent.destroy();
    expect(server.exitCode).to.equal(0);
    // After the process is gone nobody listens; a connection that was just then opened may be reset.
    const allowed = ['answered', 'refused', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'];
    expect([...outcomes.keys()].filter((outcome) => !allowed.includes(outcome))).to.deep.equal([]);
    expect((outcomes.get('ECONNRESET') ?? 0) + (outcomes.get('EPIPE') ?? 0)).to.be.at.most(8);
  });
});
