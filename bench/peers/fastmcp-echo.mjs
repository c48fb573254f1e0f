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
const port = Number(process.argv[3] ?? 0);
if (port === 0) await server.start({ transportType: 'stdio' });
else {
  await server.start({ transportType: 'httpStream', httpStream: { port, enableJsonResponse: true } });
  console.log(`http://127.0.0.1:${port}/mcp`);
}
