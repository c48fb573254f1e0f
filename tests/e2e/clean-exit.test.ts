import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { EMBEDDER, MAIN, SpawnedServer } from '../support/spawned-server.js';

const MIB = 1024 * 1024;

describe('the end of a server', () => {
  let server: SpawnedServer;

  afterEach(async () => {
    await server.kill();
    expect(server.garbage).to.deep.equal([]);
  });

  it('comes with the end of stdin, after everything asked has its answer', async () => {
    server = new SpawnedServer();
    await server.initialize();
    for (let id = 0; id < 50; id += 1) server.post({ id, method: 'tools/call', params: { name: 'echo' } });
    server.post({ id: 50, method: 'no/such' });
    // The last line has no newline.
    void server.write('{"jsonrpc":"2.0","id":51,"method":"ping"}');
    expect(await server.end()).to.deep.equal({ code: 0, signal: null });
    const answered = server.messages.map(({ id }) => id).filter((id) => typeof id === 'number');
    expect(answered).to.have.members(Array.from({ length: 52 }, (_, id) => id));
    expect(server.stderr).to.equal('');
  });

  it('waits at the end of stdin for a slow call', async () => {
    server = new SpawnedServer(EMBEDDER);
    await server.initialize();
    server.post({ id: 1, method: 'tools/call', params: { name: 'slow', arguments: { ms: 500 } } });
    expect(await server.end()).to.deep.equal({ code: 0, signal: null });
    expect((await server.answer(1)).result).to.deep.equal({ content: [{ type: 'text', text: 'done' }] });
  });

  it('comes without a word before anything was said', async () => {
    server = new SpawnedServer();
    expect(await server.end()).to.deep.equal({ code: 0, signal: null });
    expect(server.messages).to.deep.equal([]);
    expect(server.stderr).to.equal('');
  });

  for (const [signal, code] of [
    ['SIGTERM', 0],
    ['SIGINT', 130],
  ] as const) {
    it(`comes with ${signal} while the client still holds stdin`, async () => {
      server = new SpawnedServer();
      await server.initialize();
      await server.callTool(1, 'echo');
      expect(await server.signal(signal)).to.deep.equal({ code, signal: null });
      expect(server.stderr).to.equal('');
    });

    it(`waits at ${signal} for a slow call`, async () => {
      server = new SpawnedServer(EMBEDDER);
      await server.initialize();
      await server.send({ id: 1, method: 'tools/call', params: { name: 'slow', arguments: { ms: 500 } } });
      await server.request(2, 'ping');
      expect(await server.signal(signal)).to.deep.equal({ code: 0, signal: null });
      expect((await server.answer(1)).result).to.deep.equal({ content: [{ type: 'text', text: 'done' }] });
    });
  }

  it('comes with a signal also when the client reads late and still holds stdin', async () => {
    server = new SpawnedServer();
    await server.initialize();
    server.stopReading();
    const message = 'x'.repeat(MIB);
    server.post({ id: 1, method: 'tools/call', params: { name: 'echo', arguments: { message } } });
    await eventually('the server has read the call', () => server.untaken === 0);
    await sleep(300);
    const ended = server.signal('SIGTERM');
    await sleep(150);
    server.readOn();
    expect(await ended).to.deep.equal({ code: 0, signal: null });
    expect((await server.answer(1)).result).to.include.keys('content');
  });

  it('does not wait for ever: a call that never ends is told that the server closes', async () => {
    server = new SpawnedServer(EMBEDDER, { EMBEDDER_OPTIONS: '{"budget":{"timeoutMs":600000}}' });
    await server.initialize();
    await server.send({ id: 1, method: 'tools/call', params: { name: 'slow', arguments: { ms: 600_000 } } });
    await server.request(2, 'ping');
    expect(await server.signal('SIGTERM')).to.deep.equal({ code: 0, signal: null });
    expect((await server.answer(1)).result).to.include({ isError: true });
  });

  it('comes quietly when the reader has gone', async () => {
    server = new SpawnedServer();
    await server.initialize();
    server.hangUp();
    for (let id = 0; id < 1000; id += 1) server.post({ id, method: 'ping' });
    expect(await server.exit).to.deep.equal({ code: 0, signal: null });
    expect(server.stderr).to.equal('');
  });

  it('comes quietly when the reader goes in the middle of a large answer', async () => {
    server = new SpawnedServer();
    await server.initialize();
    server.stopReading();
    const message = 'x'.repeat(200_000);
    for (let id = 0; id < 20; id += 1) {
      server.post({ id, method: 'tools/call', params: { name: 'echo', arguments: { message } } });
    }
    await sleep(200);
    server.hangUp();
    expect(await server.exit).to.deep.equal({ code: 0, signal: null });
    expect(server.stderr).to.equal('');
  });
});

describe('the end of a command', () => {
  for (const [words, code] of [
    [['call', 'ecoh'], 1],
    [['serve', '--config', 'nosuch.yaml'], 3],
    [['no-such-command'], 2],
  ] as const) {
    it(`has its code when nobody reads what ${words[0]} says about its fault`, async () => {
      const child = spawn(process.execPath, [MAIN, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
      child.stderr.destroy();
      child.stdout.resume();
      expect(await once(child, 'exit')).to.deep.equal([code, null]);
    });
  }

  it('has its code when nobody reads why a server cannot start', async () => {
    const env = { ...process.env, CASTELLAN_CONFIG: 'nosuch.yaml' };
    const child = spawn(process.execPath, [MAIN], { stdio: ['pipe', 'pipe', 'pipe'], env });
    child.stderr.destroy();
    expect(await once(child, 'exit')).to.deep.equal([3, null]);
  });
});

describe('a client that does not read', () => {
  let server: SpawnedServer;

  afterEach(() => server.kill());

  it('is not read from, costs no memory, and gets every answer when it reads again', async function () {
    this.timeout(60_000);
    server = new SpawnedServer();
    await server.initialize();
    await server.callTool('warm', 'echo');
    const before = server.rss;
    server.stopReading();
    const requests = 15_000;
    const filler = 'x'.repeat(3000);
    for (let id = 0; id < requests; id += 1) {
      const call = { method: 'tools/call', params: { name: 'echo', arguments: { message: filler } } };
      server.post({ id: `${id} ${filler}`, ...(id % 2 === 0 ? { method: 'ping' } : call) });
    }
    await stalled(server);
    expect(server.untaken, 'bytes not taken').to.be.above(48 * MIB);
    expect(server.rss - before, 'growth').to.be.below(16 * MIB);
    server.readOn();
    expect(await server.end()).to.deep.equal({ code: 0, signal: null });
    const answered = new Set(server.messages.map(({ id }) => id));
    expect(server.messages).to.have.length(requests + 2);
    expect(answered.size).to.equal(requests + 2);
    expect(server.garbage).to.deep.equal([]);
  });
});

/** Resolves when nothing more is taken. */
async function stalled(server: SpawnedServer): Promise<void> {
  let taken = -1;
  while (taken !== server.untaken) {
    taken = server.untaken;
    await sleep(400);
  }
}
