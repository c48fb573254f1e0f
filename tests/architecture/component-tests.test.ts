import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const ROOT = join(import.meta.dirname, '../..');

/** The components that the tools design lists, ours for each, and where they are tested by themselves. */
const GROUPS: readonly (readonly [group: string, component: string, test: string, names: RegExp])[] = [
  [
    'manager',
    'src/infrastructure/tool/in-memory-tool-registry.ts',
    'tests/contract/tool-registry-contract.ts',
    /register|unregister/,
  ],
  [
    'executor',
    'src/application/tool/execute-tool.ts',
    'tests/application/tool/execute-tool.test.ts',
    /validat|timed|not-found/,
  ],
  [
    'validate-against-pattern',
    'src/application/knowledge/validate-pattern.ts',
    'tests/application/knowledge/validate-pattern.test.ts',
    /violation/,
  ],
  [
    'search-architecture',
    'src/application/knowledge/search-documents.ts',
    'tests/application/knowledge/search-documents.test.ts',
    /rank|score|results/,
  ],
  [
    'check-adr-alignment',
    'src/domain/knowledge/adr/alignment.ts',
    'tests/domain/knowledge/adr/alignment.test.ts',
    /supports|conflicts/,
  ],
  [
    'handlers',
    'src/presentation/mcp/surface/protocol-surface.ts',
    'tests/presentation/mcp/surface/protocol-surface.test.ts',
    /tools\/list|tools\/call/,
  ],
];

describe('Unit tests of the listed components', () => {
  for (const [group, component, test, names] of GROUPS) {
    it(`S3-49: the ${group} has tests of its own, which try more than one thing`, () => {
      expect(existsSync(join(ROOT, component)), component).to.equal(true);
      const text = readFileSync(join(ROOT, test), 'utf8');
      expect(text).to.match(names);
      const titles = [...text.matchAll(/\bit\(\s*['"`]([^'"`]+)/g)].map(([, title]) => title);
      expect(titles.length, titles.join('\n')).to.be.at.least(3);
      expect(text.match(/expect\(/g)?.length ?? 0).to.be.at.least(titles.length);
    });
  }
});
