import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import * as castellan from '../../src/index.js';

const PORTS = join(import.meta.dirname, '../../src/application/ports');

describe('The ports that an embedder can rebind', () => {
  it('are all exported, under the name of their token', async () => {
    const exported: Readonly<Record<string, unknown>> = castellan;
    const files = readdirSync(PORTS, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    const tokens: string[] = [];
    for (const file of files) {
      const port: Readonly<Record<string, unknown>> = await import(join(PORTS, file));
      for (const [name, value] of Object.entries(port)) {
        if (typeof value !== 'symbol') continue;
        tokens.push(name);
        expect(exported[name], name).to.equal(value);
      }
    }
    expect(tokens.length).to.be.above(45);
  });
});
