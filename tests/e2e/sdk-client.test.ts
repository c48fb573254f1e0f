import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { MAIN } from '../support/spawned-server.js';

/** The client passes on nothing but HOME and PATH by itself. */
function ownState(): Record<string, string> {
  const { PATH = '', XDG_STATE_HOME = '', XDG_CONFIG_HOME = '' } = process.env;
  return { PATH, XDG_STATE_HOME, XDG_CONFIG_HOME };
}

describe("the SDK's own client", () => {
  let client: Client;
  const complaints: Error[] = [];

  beforeEach(async () => {
    complaints.length = 0;
    client = new Client({ name: 'e2e', version: '1' });
    client.onerror = (error) => complaints.push(error);
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [MAIN, '--toolsets', 'all'],
        env: ownState(),
      }),
    );
  });

  afterEach(() => client.close());

  it('lists, then calls every tool without a complaint', async () => {
    const tools = await allTools(client);
    expect(tools.map(({ name }) => name)).to.include('echo');
    for (const tool of tools) {
      // Throws when the answer or its structured part does not match what the tool promised.
      const answer = await client.callTool({ name: tool.name, arguments: exampleFor(tool) });
      expect(answer.content, tool.name).to.be.an('array');
    }
    expect(complaints).to.deep.equal([]);
  });

  it('is told who it speaks to and can set the log level', async () => {
    expect(client.getServerVersion()).to.include({ name: 'castellan', title: 'Castellan' });
    expect(client.getServerCapabilities()).to.deep.include({ tools: { listChanged: true }, logging: {} });
    await client.ping();
    await client.setLoggingLevel('warning');
    expect(complaints).to.deep.equal([]);
  });

  it('gets an unknown tool as a protocol error', async () => {
    const refused = await client.callTool({ name: 'no_such_tool' }).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(refused).to.include({ code: -32602 });
  });
});

async function allTools(client: Client): Promise<Tool[]> {
  const tools: Tool[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listTools(cursor === undefined ? {} : { cursor });
    tools.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return tools;
}

/** Every property's own first example. */
function exampleFor({ inputSchema }: Tool): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(inputSchema.properties ?? {})) {
    if ('examples' in schema && Array.isArray(schema.examples)) given[name] = schema.examples[0];
  }
  return given;
}
