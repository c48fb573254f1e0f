import { expect } from 'chai';
import { ENVELOPES, useInstead } from '../support/other-answers.js';
import { EMBEDDER, SpawnedServer, type WireMessage } from '../support/spawned-server.js';

describe('the built server over stdio', () => {
  let server: SpawnedServer;

  afterEach(async () => {
    await server.kill();
    expect(server.garbage, 'stdout carries JSON lines only').to.deep.equal([]);
  });

  for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
    it(`speaks ${version} from the handshake to a call`, async () => {
      server = new SpawnedServer();
      const hello = await server.initialize(version);
      expect(hello.result).to.include({ protocolVersion: version });
      expect(hello.result?.serverInfo).to.include({ name: 'castellan', title: 'Castellan' });
      expect(hello.result?.capabilities).to.deep.include({ tools: { listChanged: true } });
      expect(hello.result?.instructions).to.be.a('string').and.not.equal('');
      expect(await server.callTool(1, 'echo', { message: 'hi' })).to.deep.equal(echoed(1, 'Echo: hi'));
      expect(await server.end()).to.deep.equal({ code: 0, signal: null });
      expect(server.stderr).to.equal('');
    });
  }

  it('offers its newest version to a client that asks for an unknown one', async () => {
    server = new SpawnedServer();
    expect((await server.initialize('1999-01-01')).result).to.include({ protocolVersion: '2025-11-25' });
  });

  it('lists tools with name, title, description, schema, hints and version', async () => {
    server = new SpawnedServer();
    await server.initialize();
    const { result } = await server.request(1, 'tools/list');
    const tools = result?.tools;
    expect(tools).to.be.an('array').with.length.above(0);
    for (const tool of Array.isArray(tools) ? tools : []) {
      expect(tool).to.include.keys('name', 'title', 'description', 'inputSchema', 'annotations', '_meta');
      expect(tool.inputSchema).to.include({ type: 'object', additionalProperties: false });
    }
  });

  it('refuses work before initialize and answers ping all the same', async () => {
    server = new SpawnedServer();
    expect((await server.request(1, 'tools/list')).error?.code).to.equal(-32600);
    expect((await server.callTool(2, 'echo')).error?.code).to.equal(-32600);
    expect((await server.request(3, 'ping')).result).to.deep.equal({});
  });

  it('answers a method that it does not have with -32601', async () => {
    server = new SpawnedServer();
    await server.initialize();
    expect((await server.request(1, 'no/such')).error?.code).to.equal(-32601);
  });

  it('answers a request whose _meta nobody can read', async () => {
    server = new SpawnedServer();
    await server.initialize();
    expect((await server.request(1, 'no/such', { _meta: 5 })).error?.code).to.equal(-32601);
    expect((await server.request(2, 'tools/list', { _meta: { progressToken: {} } })).result).to.be.an(
      'object',
    );
    expect(await server.end()).to.deep.equal({ code: 0, signal: null });
  });

  it('asks its client and ends although the handshake carried a _meta nobody can read', async () => {
    server = new SpawnedServer(EMBEDDER);
    const clientInfo = { name: 'e2e', version: '1' };
    const capabilities = { elicitation: {} };
    const params = { _meta: 5, protocolVersion: '2025-11-25', capabilities, clientInfo };
    expect((await server.request(1, 'initialize', params)).result).to.be.an('object');
    await server.send({ id: 2, method: 'tools/call', params: { name: 'ask' } });
    const asked = await server.until(() =>
      server.messages.find(({ method }) => method === 'elicitation/create'),
    );
    await server.send({ id: asked.id, result: { action: 'decline' } });
    expect((await server.answer(2)).result).to.deep.include({ content: [{ type: 'text', text: 'decline' }] });
    expect(await server.end()).to.deep.equal({ code: 0, signal: null });
  });
});

describe('calls that go wrong, over stdio', () => {
  useInstead(ENVELOPES);
  let server: SpawnedServer;

  before(async () => {
    server = new SpawnedServer(EMBEDDER);
    await server.initialize();
  });

  after(async () => {
    await server.kill();
    expect(server.garbage).to.deep.equal([]);
  });

  it('S4-07: echo without a message is no error', async () => {
    expect(await server.callTool('empty', 'echo')).to.deep.equal(echoed('empty', 'Echo: '));
    expect(await server.callTool('none', 'echo', {})).to.deep.equal(echoed('none', 'Echo: '));
  });

  for (const name of ['no_such_tool', 'constructor', '__proto__', 'toString']) {
    it(`answers the unknown tool ${name} with -32602 and ToolNotFoundError`, async () => {
      const { error } = await server.callTool(`unknown ${name}`, name, {});
      expect(error?.code).to.equal(-32602);
      expect(error?.message).to.contain(name);
      expect(error?.data).to.include({ error_type: 'ToolNotFoundError', error_code: -32001 });
    });
  }

  it('answers a disabled tool with an isError result of ToolDisabledError, and does not list it', async () => {
    const failed = failureOf(await server.callTool('disabled', 'off', {}));
    expect(failed).to.include({ success: false, error_type: 'ToolDisabledError', error_code: -32004 });
    const { result } = await server.request('list', 'tools/list');
    expect(JSON.stringify(result)).to.contain('"slow"').and.not.contain('"off"');
  });

  it('names each wrong argument in an isError result', async () => {
    const failed = failureOf(await server.callTool('wrong', 'form', { count: 'many', title: 7 }));
    expect(failed).to.include({ error_type: 'ToolValidationError', error_code: -32602 });
    expect(problemsOf(failed)).to.have.members(['count', 'title']);
  });

  it('names each missing argument in an isError result', async () => {
    const failed = failureOf(await server.callTool('missing', 'form', {}));
    expect(problemsOf(failed)).to.have.members(['count', 'title']);
  });

  it('refuses an extra key by its name', async () => {
    const failed = failureOf(await server.callTool('extra', 'echo', { message: 'hi', volume: 11 }));
    expect(problemsOf(failed)).to.deep.equal(['volume']);
  });

  for (const args of [[], 'text', 5, true]) {
    it(`refuses ${JSON.stringify(args)} as arguments`, async () => {
      const failed = failureOf(await server.callTool(`args ${JSON.stringify(args)}`, 'echo', args));
      expect(failed.error_type).to.equal('ToolValidationError');
    });
  }

  for (const params of [{}, { name: '' }, { name: 5 }, { name: null }, { arguments: {} }]) {
    it(`answers tools/call with ${JSON.stringify(params)} with -32602`, async () => {
      const answer = await server.request(`params ${JSON.stringify(params)}`, 'tools/call', params);
      expect(answer.error?.code).to.equal(-32602);
      expect(answer.error?.message).to.contain('name');
    });
  }
});

function echoed(id: string | number, text: string): WireMessage {
  return { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } };
}

/** The envelope of a failed call, which says the same as its text. */
function failureOf(answer: WireMessage): Readonly<Record<string, unknown>> {
  expect(answer.result, JSON.stringify(answer)).to.include({ isError: true });
  const content = answer.result?.content;
  const [block] = Array.isArray(content) ? content : [];
  return JSON.parse(block.text);
}

function problemsOf(failed: Readonly<Record<string, unknown>>): unknown[] {
  const details = failed.error_details;
  if (typeof details !== 'object' || details === null || !('problems' in details)) return [];
  const { problems } = details;
  return Array.isArray(problems) ? problems.map((problem) => problem.parameter_name) : [];
}
