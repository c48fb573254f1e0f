import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { policyFile } from '../../support/policy-file.js';
import { MAIN } from '../../support/spawned-server.js';
import { initialize } from '../../support/wire.js';

/** Letters of two bytes, so that chunks end inside of some. */
const LONG = `x${'é'.repeat(100_000)}`;
const WRITE = { name: 'write_file', arguments: { path: 'written.txt', content: LONG } };
const REQUESTS = [
  initialize(),
  { jsonrpc: '2.0', id: 1, method: 'tools/call', params: WRITE },
  { jsonrpc: '2.0', id: 2, method: 'ping' },
].map((request) => JSON.stringify(request));

describe('standardInput', () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-input-'));
    writeFileSync(join(folder, 'requests'), `${REQUESTS.join('\n')}\n`);
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  const answers = (output: string) => {
    const messages = output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    return messages.map(({ id, result }) => [id, result.content?.[0].text]);
  };
  const expected = [
    [0, undefined],
    [1, 'Written to written.txt'],
    [2, undefined],
  ];

  for (const [source, line] of [
    ['a pipe', 'cat requests | "$0" "$1"'],
    ['a file', '"$0" "$1" < requests'],
  ] as const) {
    it(`reads requests from ${source}, one longer than a chunk among them`, () => {
      const words = ['-c', line, process.execPath, MAIN];
      const policy = policyFile('extends: [builtin:workspace]\n');
      const env = { ...process.env, CASTELLAN_WORKSPACE: folder, CASTELLAN_POLICY: policy };
      const output = execFileSync('sh', words, { cwd: folder, env, encoding: 'utf8' });
      expect(answers(output)).to.have.deep.members(expected);
      expect(readFileSync(join(folder, 'written.txt'), 'utf8') === LONG, 'the text is whole').to.equal(true);
      rmSync(join(folder, 'written.txt'));
    });
  }

  it('is over at once where there is nothing to read', async () => {
    const server = spawn(process.execPath, [MAIN, 'serve'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    expect(await once(server, 'exit')).to.deep.equal([0, null]);
  });
});
