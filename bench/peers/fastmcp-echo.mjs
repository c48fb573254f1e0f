// fastmcp is installed by `--peers` alone, so its node_modules comes as the first argument.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const load = (file) => import(pathToFileURL(join(process.argv[2], file)).href);
const { FastMCP } = await load('fastmcp/dist/FastMCP.js');
const { z } = await load('zod/index.js');

const server = new FastMCP({ name: 'fastmcp', version: '1.0.0' });
server.addTool({
  name: 'echo',
  description: 'Echo a message.',
  parameters: z.object({ message: z.string() }),
  execute: async ({ message }) => `Echo: ${message}`,
});
await server.start({ transportType: 'stdio' });
