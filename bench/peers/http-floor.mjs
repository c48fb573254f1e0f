// The limit of the language over HTTP: a JSON-RPC loop on node:http with no SDK, no checks and no error handling.
import { createServer } from 'node:http';

function answer({ id, method, params }) {
  const result =
    method === 'tools/call'
      ? { content: [{ type: 'text', text: `Echo: ${params.arguments.message}` }] }
      : {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'floor', version: '1.0.0' },
        };
  return JSON.stringify({ jsonrpc: '2.0', id, result });
}

const server = createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const message = JSON.parse(Buffer.concat(parts).toString());
    if (message.id === undefined) return response.writeHead(202).end();
    const body = answer(message);
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      'Mcp-Session-Id': 'floor',
    });
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
