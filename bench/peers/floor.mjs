// The limit of the language: a JSON-RPC loop over stdio with no SDK, no checks and no error handling.
const echoTool = {
  name: 'echo',
  description: 'Echo a message.',
  inputSchema: { type: 'object', properties: { message: { type: 'string' } } },
};

function answer(request) {
  switch (request.method) {
    case 'initialize':
      return {
        protocolVersion: request.params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'floor', version: '1.0.0' },
      };
    case 'tools/list':
      return { tools: [echoTool] };
    default:
      return { content: [{ type: 'text', text: `Echo: ${request.params.arguments.message}` }] };
  }
}

function serve(line) {
  const request = JSON.parse(line);
  if (request.id === undefined) return;
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: request.id, result: answer(request) })}\n`);
}

let parts = [];
process.stdin.on('data', (chunk) => {
  let start = 0;
  for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
    const last = chunk.subarray(start, end);
    serve((parts.length === 0 ? last : Buffer.concat([...parts, last])).toString());
    parts = [];
    start = end + 1;
  }
  if (start < chunk.length) parts.push(chunk.subarray(start));
});
