// The limit of the language: a JSON-RPC loop over stdio with no SDK, no checks and no error handling.
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

// A server must not stand still while a disk is slow, so the floor reads as every server does: not waiting.
// With it the bare SDK comes out where PERFORMANCE.md has it. `sync` shows what waiting would cost.
const waits = process.argv.includes('sync');

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
      return waits ? readFileSync(args.path, 'utf8') : readFile(args.path, 'utf8');
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
    default:
      return { tools: [echoTool] };
  }
}

function respond(id, text) {
  process.stdout.write(
    `${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } })}\n`,
  );
}

function serve(line) {
  const request = JSON.parse(line);
  if (request.id === undefined) return;
  const { id } = request;
  if (request.method === 'tools/call') {
    const text = call(request.params);
    if (typeof text === 'string') respond(id, text);
    else text.then((read) => respond(id, read));
  } else {
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: answer(request) })}\n`);
  }
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
