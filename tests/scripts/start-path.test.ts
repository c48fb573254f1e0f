import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { MAIN } from '../support/spawned-server.js';

const MESSAGES = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
];
const ECHO = { id: 3, method: 'tools/call', params: { name: 'echo', arguments: { message: 'late' } } };

/** Runs in the server: tells at its end which chunks were read and which modules of Node are loaded. */
const TELL = `
const fs = require('node:fs');
const { readFileSync } = fs;
const chunks = [];
fs.readFileSync = (file, ...rest) => {
  const chunk = /chunks.([^.]+)\\.js$/.exec(String(file));
  if (chunk !== null) chunks.push(chunk[1]);
  return readFileSync(file, ...rest);
};
process.on('exit', () => process.stderr.write(JSON.stringify({ chunks, builtins: process.moduleLoadList })));
`;

interface Loaded {
  readonly chunks: readonly string[];
  readonly builtins: readonly string[];
}

describe('what the built command loads', () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-start-'));
    writeFileSync(join(folder, 'tell.cjs'), TELL);
  });

  after(() => rmSync(folder, { recursive: true }));

  function loadedBy(messages: readonly object[]): Loaded {
    const { stderr } = spawnSync(process.execPath, ['--require', join(folder, 'tell.cjs'), MAIN], {
      cwd: folder,
      env: { ...process.env, XDG_STATE_HOME: join(folder, 'state'), XDG_CONFIG_HOME: join(folder, 'config') },
      input: messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''),
      encoding: 'utf8',
    });
    const loaded: Loaded = JSON.parse(stderr);
    return loaded;
  }

  it('for a list of tools: the start alone, and none of the modules of Node that take long', () => {
    const { chunks, builtins } = loadedBy(MESSAGES);
    expect(chunks).to.deep.equal([]);
    for (const late of ['crypto', 'child_process', 'http', 'tls', 'os'])
      expect(builtins).not.to.include(`NativeModule ${late}`);
  });

  it('for an echo: no area whose modules are deferred', () => {
    const { chunks } = loadedBy([...MESSAGES, ECHO]);
    expect(chunks).to.include('typebox-compile');
    expect(chunks.filter((name) => name.startsWith('deferred-'))).to.deep.equal([]);
  });

  it('has the container once, however many chunks use it', () => {
    const command = join(dirname(MAIN), 'command');
    const files = readdirSync(command, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /^(?:castellan|chunks.*)\.js$/.test(name),
    );
    const holding = (text: string) =>
      files.filter((name) => readFileSync(join(command, name), 'latin1').includes(text));
    expect(holding('PlanResultCacheService=class')).to.deep.equal(['castellan.js']);
  });
});
