// The limit of the language: a JSON-RPC loop over stdio with no SDK, no checks and no error handling.
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

const echoTool = {
  name: 'echo',
  description: 'Echo a message.',
  inputSchema: { type: 'object', properties: { message: { type: 'string' } } },
};

/** Whole and durable, as plainly as it can be written. */
function replaceFile(path, content) {
  const temporary = `${path}.tmp`;
  const file = openSync(temporary, 'wx');
  writeSync(file, content);
  fsyncSync(file);
  closeSync(file);
  renameSync(temporary, path);
  const folder = openSync(dirname(path), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

function call({ name, arguments: args }) {
  switch (name) {
    case 'read_file':
      return readFileSync(args.path, 'utf8');
    case 'write_file':
      replaceFile(args.path, args.content);
      return `Written to ${args.path}`;
    default:
      return `Echo: ${args.message}`;
  }
}

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
      return { content: [{ type: 'text', text: call(request.params) }] };
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
