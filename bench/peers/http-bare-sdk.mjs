// The SDK's own HTTP transport as its documentation shows it: sessions, JSON answers, one tool, nothing around it.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const transports = new Map();

async function open() {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    enableJsonResponse: true,
    onsessioninitialized: (id) => transports.set(id, transport),
  });
  const server = new Server({ name: 'bare-sdk', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler(CallToolRequestSchema, ({ params: { arguments: args } }) => ({
    content: [{ type: 'text', text: `Echo: ${args.message}` }],
  }));
  await server.connect(transport);
  return transport;
}

const server = createServer(async (request, response) => {
  const transport = transports.get(request.headers['mcp-session-id']) ?? (await open());
  await transport.handleRequest(request, response);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
