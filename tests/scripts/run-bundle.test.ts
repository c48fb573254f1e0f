import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { MAIN } from '../support/spawned-server.js';

describe('the bundles of the command', () => {
  it('name their build where a chunk asks the start, all the same one', () => {
    const folder = join(dirname(MAIN), 'command');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.js'),
    );
    const asked = files.flatMap((name) => [
      ...readFileSync(join(folder, name), 'latin1').matchAll(/"start:([^"]*?)(?:src|node_modules)\//g),
    ]);
    const builds = new Set(asked.map(([, build]) => build));
    expect([...builds]).to.have.length(1);
    expect([...builds][0]).to.match(/^[0-9a-f]{16}:$/);
  });

  it('do not mix: the chunk of another build is refused in words', () => {
    const folder = mkdtempSync(join(tmpdir(), 'castellan-bundle-'));
    try {
      const runner: unknown = createRequire(import.meta.url)('../../scripts/run-bundle.cjs');
      const bundle = (body: string) =>
        `(function (exports, require, module, __filename, __dirname) {${body}\n})`;
      mkdirSync(join(folder, 'chunks'));
      const start = join(folder, 'start.js');
      writeFileSync(
        start,
        bundle(
          'exports.shared = { "start:a:src/x.ts": { x: 1 } }; exports.chunk = (name) => require("./chunks/" + name + ".js");',
        ),
      );
      writeFileSync(join(folder, 'chunks/own.js'), bundle('exports.x = require("start:a:src/x.ts").x;'));
      writeFileSync(join(folder, 'chunks/other.js'), bundle('exports.x = require("start:b:src/x.ts").x;'));
      if (!isRunner(runner)) throw new Error('no runner');
      const { chunk } = runner.load(start);
      expect(chunk('own').x).to.equal(1);
      // Twice: half of a chunk must not stay behind as if it were all of it.
      for (const _ of [1, 2])
        expect(() => chunk('other')).to.throw('replaced by another build while it ran.');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

interface Runner {
  load(file: string): { chunk(name: string): { readonly x: number } };
}

function isRunner(value: unknown): value is Runner {
  return typeof value === 'object' && value !== null && 'load' in value;
}
