// The SDK's low-level server as its documentation shows it: one tool, nothing around it.
import { readFile } from 'node:fs/promises';
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

const answer = (text) => ({ content: [{ type: 'text', text }] });

server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: args } }) =>
  name === 'read_file' ? readFile(args.path, 'utf8').then(answer) : answer(`Echo: ${args?.message}`),
);

await server.connect(new StdioServerTransport());
