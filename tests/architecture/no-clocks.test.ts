import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const TESTS = join(import.meta.dirname, '..');
const CLOCKS = /performance\.now\(|\.hrtime|cpuUsage\(/;

/** Nothing here passes or fails by how long something takes. */
const MAY_LOOK: Readonly<Record<string, string>> = {
  'support/eventually.ts': 'gives up waiting after a long time',
  'contract/shared/both-ways.ts': 'gives stores that are shared between servers a clock',
  'bench/process-usage.test.ts': 'reads the instrument that the benchmarks use, against another one',
  'security/killed-server.test.ts': 'chooses the moment of a kill',
  'security/sandbox-mount-race.test.ts': 'races for a least time',
  'security/server-mount-race.test.ts': 'races for a least time',
};

describe('Tests', () => {
  it('look at no clock, so that a busy machine changes nothing', () => {
    const found = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter(
      (name) =>
        name.endsWith('.ts') &&
        !name.startsWith('architecture/') &&
        CLOCKS.test(readFileSync(join(TESTS, name), 'utf8')),
    );
    expect(found).to.have.members(Object.keys(MAY_LOOK));
  });
});
