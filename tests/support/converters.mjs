// Hands every tool of a server to the converters that agents use, as each of them meets it, and prints what they took:
//   node converters.mjs FOLDER SERVER [ARGS...]   FOLDER has node_modules with the packages.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, script, ...args] = process.argv.slice(2);
const require = createRequire(join(folder, 'package.json'));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);

const server = { command: process.execPath, args: [script, ...args] };

async function sdkClient() {
  const { Client } = await load('@modelcontextprotocol/sdk/client/index.js');
  const { StdioClientTransport } = await load('@modelcontextprotocol/sdk/client/stdio.js');
  const client = new Client({ name: 'converters', version: '1' });
  await client.connect(new StdioClientTransport({ ...server, env: process.env, stderr: 'ignore' }));
  return client;
}

async function langchain() {
  const { MultiServerMCPClient } = await load('@langchain/mcp-adapters');
  const { convertToOpenAITool } = await load('@langchain/core/utils/function_calling');
  const mcpServers = { castellan: { transport: 'stdio', ...server, env: process.env } };
  const client = new MultiServerMCPClient({ mcpServers, throwOnLoadError: true });
  const tools = await client.getTools();
  const converted = tools.map((tool) => convertToOpenAITool(tool).function.name);
  await client.close();
  return converted;
}

async function google() {
  const { mcpToTool } = await load('@google/genai');
  const client = await sdkClient();
  const { functionDeclarations } = await mcpToTool(client).tool();
  await client.close();
  return functionDeclarations.map(({ name }) => name);
}

async function aiSdk() {
  const { createMCPClient } = await load('@ai-sdk/mcp');
  const { Experimental_StdioMCPTransport: Transport } = await load('@ai-sdk/mcp/mcp-stdio');
  const client = await createMCPClient({
    transport: new Transport({ ...server, env: process.env, stderr: 'ignore' }),
  });
  const tools = await client.tools();
  const { asSchema } = await load('ai');
  for (const tool of Object.values(tools))
    if (!asSchema(tool.inputSchema).jsonSchema) throw new Error('no schema');
  await client.close();
  return Object.keys(tools);
}

const taken = {};
for (const [name, convert] of Object.entries({ langchain, google, aiSdk })) {
  try {
    taken[name] = (await convert()).sort();
  } catch (error) {
    taken[name] = String(error?.stack ?? error);
  }
}
process.stdout.write(JSON.stringify(taken));
