import { expect } from 'chai';
import { type Frame, malformedFrames } from '../support/malformed-frames.js';
import { policyFile } from '../support/policy-file.js';
import { SpawnedServer } from '../support/spawned-server.js';

const LONG = process.env.CASTELLAN_LONG === '1';
const FRAMES = LONG ? 100_000 : 10_000;
const SEED = 20_251_125;
const SYNCS = ['"sync 1"', '"sync 2"'];
const MIB = 1024 * 1024;

describe('malformed input', () => {
  let server: SpawnedServer;

  afterEach(async () => {
    await server.kill();
    expect(server.garbage).to.deep.equal([]);
  });

  for (const { version, batches } of [
    { version: '2025-11-25', batches: false },
    { version: '2025-03-26', batches: true },
  ]) {
    const deed = batches ? 'unpacks batches' : 'refuses a batch once';
    it(`is answered exactly once where it has an id, in flat memory; ${version} ${deed}`, async function () {
      this.timeout(LONG ? 600_000 : 60_000);
      server = new SpawnedServer();
      await server.initialize(version);
      const frames = malformedFrames(FRAMES / 2, SEED, batches);
      const warm = Math.floor(frames.length / 4);
      await feed(server, frames.slice(0, warm), 'sync 1');
      const before = server.rss;
      await feed(server, frames.slice(warm), 'sync 2');
      const after = server.rss;
      expect(await server.end(), `seed ${SEED}: ${server.stderr}`).to.deep.equal({ code: 0, signal: null });
      const owed = tally([...frames.flatMap((frame) => frame.owed), '"init"', ...SYNCS]);
      const paid = tally(server.messages.map(({ id }) => JSON.stringify(id)));
      expect(differences(owed, paid), `seed ${SEED}, ids with [owed, paid]`).to.deep.equal([]);
      expect(server.stderr).to.not.match(/at .*\.js:\d+/);
      expect(after, `from ${before}`).to.be.below(before * 1.5 + 64 * MIB);
    });
  }

  it('is told apart: -32700 for text that is no JSON, -32600 for JSON that is no message', async () => {
    server = new SpawnedServer();
    await server.initialize();
    await server.write('{"jsonrpc":\n[1,2]\n{}\n"text"\n\n\r\n');
    await server.request('end', 'ping');
    const codes = server.messages.filter(({ id }) => id === null).map(({ error }) => error?.code);
    expect(codes).to.deep.equal([-32700, -32600, -32600, -32600]);
  });

  it('of 16 MB in one argument is answered where the policy allows so much, and refused by default', async () => {
    server = new SpawnedServer();
    await server.initialize();
    const refused = await server.callTool(1, 'echo', { message: 'x'.repeat(16_000_000) });
    expect(JSON.stringify(refused.result)).to.contain('max_input_bytes').and.contain('4194304');
    await server.kill();
    const limits = 'limits: { max_input_bytes: 32MiB }';
    const policy = policyFile(`version: 1\nextends: [builtin:workspace]\ntools: { echo: { ${limits} } }\n`);
    server = new SpawnedServer(undefined, { CASTELLAN_POLICY: policy });
    await server.initialize();
    const { result } = await server.callTool(1, 'echo', { message: 'x'.repeat(16_000_000) });
    expect(result).to.not.have.property('isError');
    expect(JSON.stringify(result)).to.contain('Echo: xxx').and.contain('Cut after');
  });

  it('over 64 MiB in one line gets one error, and the next call works', async () => {
    server = new SpawnedServer();
    await server.initialize();
    const megabyte = Buffer.alloc(MIB, 'x');
    await server.write('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"');
    for (let sent = 0; sent < 65; sent += 1) await server.write(megabyte);
    await server.write('"}}\n');
    expect((await server.callTool(2, 'echo', { message: 'still here' })).result).to.deep.equal({
      content: [{ type: 'text', text: 'Echo: still here' }],
    });
    const refused = server.messages.filter(({ id }) => id === null);
    expect(refused).to.have.length(1);
    expect(refused[0]?.error).to.include({ code: -32600 });
    expect(refused[0]?.error?.message).to.contain(String(64 * MIB));
  });
});

/** Resolves when the server has read it all. */
async function feed(server: SpawnedServer, frames: readonly Frame[], sync: string): Promise<void> {
  for (const { line } of frames) await server.write(Buffer.concat([Buffer.from(line), Buffer.from('\n')]));
  await server.request(sync, 'ping');
}

function tally(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

function differences(owed: Map<string, number>, paid: Map<string, number>): unknown[] {
  return [...new Set([...owed.keys(), ...paid.keys()])]
    .map((id) => [id, owed.get(id) ?? 0, paid.get(id) ?? 0])
    .filter(([, wanted, got]) => wanted !== got)
    .slice(0, 10);
}
