import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const TESTS = join(import.meta.dirname, '..');
const OUTER =
  /^import (?!type )[^;]*?from '[./]+\/src\/((?:infrastructure|presentation|composition)\/[^']+)\.js';$/gm;

/**
 * What tests of the inner layers still take from the outer ones. A test that is not named here takes nothing; one
 * that needs no adapter any more leaves the list.
 */
const STILL: Readonly<Record<string, readonly string[]>> = {
  // They prove a rule on what the real reader makes of a text: a fake would prove nothing.
  'application/command/git-company.test.ts': ['infrastructure/shell/shell-parser'],
  'application/command/git-notes.test.ts': ['infrastructure/shell/shell-parser'],
  'application/permission/canonical-requests.test.ts': ['infrastructure/shell/shell-parser'],
  'application/permission/decide-call.test.ts': ['infrastructure/shell/shell-parser'],
  'domain/command/may-change-files.test.ts': ['infrastructure/shell/shell-parser'],
  'domain/knowledge/adr/adr-graph.test.ts': ['infrastructure/knowledge/markdown-reader'],
  'domain/knowledge/hostile-texts.test.ts': ['infrastructure/knowledge/markdown-reader'],
  'application/knowledge/pattern-proof.test.ts': ['infrastructure/knowledge/code-rule-checker'],
  'application/knowledge/validate-pattern.test.ts': ['infrastructure/knowledge/code-rule-checker'],
  'domain/permission/policy/permission-policy-properties.test.ts': [
    'infrastructure/policy/compile/compile-policy',
  ],

  // Adapters that keep everything in memory and stand in for a fake.
  'application/command/session-commands.test.ts': ['infrastructure/session/in-memory-session-store'],
  'application/knowledge/switched-document-library.test.ts': [
    'infrastructure/knowledge/document-search-index',
    'infrastructure/system/immediate-turns',
  ],
  'application/permission/obtain-consent.test.ts': ['infrastructure/permission/in-memory-consent-memory'],
  'application/session/sessions.test.ts': ['infrastructure/session/in-memory-session-store'],
  'application/session/workflow-contexts.test.ts': ['infrastructure/session/in-memory-workflow-store'],
  'application/call/pipeline/call-journal.test.ts': [
    'infrastructure/observability/call-observers',
    'infrastructure/observability/redaction',
    'infrastructure/tool/in-memory-tool-statistics',
  ],
  'application/tool/get-tool-stats.test.ts': [
    'infrastructure/tool/cockatiel-breakers',
    'infrastructure/tool/in-memory-tool-registry',
    'infrastructure/tool/in-memory-tool-statistics',
  ],
  'application/call/pipeline/resolve-tool.test.ts': [
    'infrastructure/session/in-memory-session-store',
    'infrastructure/tool/in-memory-tool-registry',
  ],
  'application/tool/toolsets.test.ts': ['infrastructure/tool/in-memory-tool-registry'],
  // Whole servers and what is shown outside.
  'application/flag/tool-switchboard.test.ts': ['composition/server/create-castellan'],
  'application/knowledge/document-address.test.ts': ['presentation/resources/knowledge-resources'],
  'application/permission/explain-permission-handler.test.ts': ['composition/server/create-castellan'],
  'application/call/pipeline/tool-implementations.test.ts': [
    'composition/server/create-castellan',
    'presentation/tools/define-tool',
    'presentation/tools/tool-arguments',
  ],
  'domain/tool/foreign-names.test.ts': ['presentation/tools/builtin-tools'],
  'domain/tool/tool-input-schema.test.ts': ['presentation/docs/envelope-schema'],
};

describe('Tests of the domain and of the application', () => {
  it('take nothing from the outer layers but what is named', () => {
    const found = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
      .filter((name) => /^(?:domain|application)\/.*\.ts$/.test(name))
      .map((name) => [name, outerImports(readFileSync(join(TESTS, name), 'utf8'))] as const)
      .filter(([, imports]) => imports.length > 0);
    expect(Object.fromEntries(found)).to.deep.equal(STILL);
  });

  it('would be found out, also where an import has several lines, and may use types', () => {
    const text = `import type { A } from '../../src/infrastructure/a.js';
import {
  b,
} from '../../src/composition/b.js';
import { c } from '../../src/domain/c.js';
`;
    expect(outerImports(text)).to.deep.equal(['composition/b']);
  });
});

function outerImports(text: string): readonly string[] {
  return [...text.matchAll(OUTER)].map(([, path = '']) => path).sort();
}
