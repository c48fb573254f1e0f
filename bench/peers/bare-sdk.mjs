// The SDK's low-level server as its documentation shows it: one tool, nothing around it.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const server = new Server({ name: 'bare-sdk', version: '1.0.0' }, { capabilities: { tools: {} } });

server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [
    {
      name: 'echo',
      description: 'Echo a message.',
      inputSchema: { type: 'object', properties: { message: { type: 'string' } } },
    },
  ],
}));

server.setRequestHandler(CallToolRequestSchema, (request) => ({
  content: [{ type: 'text', text: `Echo: ${request.params.arguments?.message}` }],
}));

await server.connect(new StdioServerTransport());
