import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { after, describe, it } from 'mocha';
import { eventually } from '../support/eventually.js';
import { HttpClient } from '../support/http-client.js';

const ROOT = resolve(import.meta.dirname, '../..');

describe('npm start', () => {
  const home = mkdtempSync(join(tmpdir(), 'castellan-start-'));
  after(() => rmSync(home, { recursive: true, force: true }));

  /** What it prints, after it has made its call; `during` runs while it serves. */
  const start = async (during: (printed: string) => Promise<void>): Promise<number> => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    // The command is built already; the port may be somebody else's.
    const line = `${String(scripts.start).replace('npm run build --silent -- --no-types && ', 'exec env ')} --port 0`;
    const server = spawn('sh', ['-c', line], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, HOME: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    for (const output of [server.stdout, server.stderr])
      output.on('data', (part) => {
        printed += String(part);
      });
    const ended = once(server, 'exit');
    try {
      await eventually('it has made its call', () => printed.includes('Ctrl-C'), 60_000);
      await during(printed);
    } finally {
      server.kill('SIGTERM');
    }
    const [code] = await ended;
    return code;
  };

  it('serves with the shipped policy, prints endpoint, token and snippets, and makes one call', async () => {
    const code = await start(async (printed) => {
      const url = /serves MCP at (\S+)/.exec(printed)?.[1] ?? '';
      const token = /Token: (\S+)/.exec(printed)?.[1] ?? '';
      expect(printed).to.contain('claude mcp add --transport http').and.contain('Echo: hello');
      const client = new HttpClient(url, token);
      await client.open();
      expect(JSON.stringify(await client.call(1, 'echo', { message: 'again' }))).to.contain('Echo: again');
    });
    expect(code).to.equal(0);
  });

  it('does so the next time as well, without the token that it does not keep', async () => {
    const code = await start(async (printed) => {
      expect(printed).to.contain('castellan token rotate').and.contain('Echo: hello');
    });
    expect(code).to.equal(0);
  });
});
