'use strict';
// Runs the built command once, through its handshake and a call, and keeps what V8 compiled on the way.
const { spawnSync } = require('node:child_process');
const { readFileSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { dirname, join } = require('node:path');
const { Script } = require('node:vm');

const file = join(__dirname, '..', 'dist', 'command', 'castellan.js');

if (process.argv[2] === 'serve') {
  const script = new Script(
    `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'utf8')}\n})`,
    {
      filename: file,
    },
  );
  const module_ = { exports: {} };
  script.runInThisContext()(module_.exports, createRequire(file), module_, file, dirname(file));
  process.on('exit', () => writeFileSync(`${file}.cache`, script.createCachedData()));
} else {
  const messages = [
    {
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'build', version: '1' },
      },
    },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
    { id: 3, method: 'tools/call', params: { name: 'echo', arguments: { message: 'warm' } } },
  ];
  const input = messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
  const { stdout, status } = spawnSync(process.execPath, [__filename, 'serve'], {
    input,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (status !== 0 || !stdout.includes('Echo: warm')) {
    process.stderr.write(`The built command does not answer:\n${stdout}\n`);
    process.exit(1);
  }
}
