import { expect } from 'chai';
import { CheckedRules } from '../../../src/application/knowledge/checked-rules.js';
import { ValidatePatternHandler } from '../../../src/application/knowledge/validate-pattern.js';
import { CodeRuleChecker } from '../../../src/infrastructure/knowledge/code-rule-checker.js';
import { category, KnowledgeFixture } from '../../support/knowledge-fixture.js';

const REPOSITORY = `---
title: Repository pattern
rules:
  - id: no-sql-outside
    severity: error
    message: SQL belongs into a repository.
    fix: Move the query into a repository.
    regex: '(?i)\\bselect\\s.+\\sfrom\\b'
    examples: { good: ['orders.find(1)'], bad: ['db.query("select * from orders")'] }
  - id: no-driver
    message: Services do not import the driver.
    forbid_imports: [pg, psycopg2, database/sql, java.sql]
  - id: no-print
    severity: warning
    languages: [python]
    message: Print nothing.
    ast_grep: print($$$A)
    examples: { good: ['log(1)'], bad: ['print(1)'] }
  - id: no-panic
    languages: [go]
    message: Return an error.
    ast_grep: { pattern: panic($A) }
    examples: { good: ['package a\\nfunc x() error { return nil }'], bad: ['package a\\nfunc x() { panic("no") }'] }
  - id: no-stdout
    languages: [java]
    message: Use the logger.
    ast_grep: System.out.println($A)
    examples: { bad: ['class A { void f() { System.out.println(1); } }'] }
  - id: no-eval
    languages: [typescript, javascript]
    message: Never evaluate text.
    ast_grep: eval($A)
    examples: { good: ['const a: number = 1;'], bad: ['eval(text)'] }
  - id: short
    message: At most 40 lines.
    max_lines: 40
---
# Repository pattern
`;

const BROKEN = `---
rules:
  - { id: wrong-example, message: Wrong, regex: 'foo', examples: { good: [foo], bad: [] } }
  - { id: not-linear, message: Wrong, regex: '(?=a)b' }
  - { id: two-checks, message: Wrong, regex: a, max_lines: 3 }
  - { id: fine, message: Fine, regex: 'forbidden' }
---
# Broken
`;

const PROSE = '# Prose only\n\nA service must return `Result`. It must not call `process.exit`.\n';
const NEEDS =
  '---\nrules:\n  - { id: logger, message: Import the logger, require_imports: [pino] }\n---\n# Needs\n';

const CODE: Readonly<Record<string, { bad: string; good: string; rules: readonly string[] }>> = {
  typescript: {
    bad: "import { Pool } from 'pg';\nexport const run = (text: string): unknown => eval(text);\n",
    good: "import { Orders } from './orders.js';\nexport const run = (text: string): string => text;\n",
    rules: ['no-driver', 'no-eval'],
  },
  python: {
    bad: 'import psycopg2\n\ndef run(x):\n    print(x)\n',
    good: 'from orders import Orders\n\ndef run(x):\n    return Orders().find(x)\n',
    rules: ['no-driver', 'no-print'],
  },
  go: {
    bad: 'package main\n\nimport (\n\t"database/sql"\n)\n\nfunc run() {\n\tpanic("no")\n}\n',
    good: 'package main\n\nimport "errors"\n\nfunc run() error {\n\treturn errors.New("no")\n}\n',
    rules: ['no-driver', 'no-panic'],
  },
  java: {
    bad: 'import java.sql.Connection;\n\npublic class A {\n  void run() { System.out.println(1); }\n}\n',
    good: 'import com.shop.Orders;\n\npublic class A {\n  void run() { log.info("1"); }\n}\n',
    rules: ['no-driver', 'no-stdout'],
  },
};

describe('ValidatePatternHandler', () => {
  const fixture = new KnowledgeFixture([category('patterns')]);
  const checker = new CodeRuleChecker();
  const handler = new ValidatePatternHandler(
    fixture.library,
    fixture.settings,
    new CheckedRules(checker),
    checker,
    fixture.address,
  );

  const validate = async (code: string, pattern_name: string, language?: string) => {
    const outcome = await handler.handle({ code, pattern_name, ...(language !== undefined && { language }) });
    if (!outcome.success) throw new Error(outcome.error.message);
    return outcome.value;
  };

  before(() => {
    fixture.put('patterns/repository-pattern.md', REPOSITORY);
    fixture.put('patterns/broken.md', BROKEN);
    fixture.put('patterns/prose.md', PROSE);
    fixture.put('patterns/needs.md', NEEDS);
  });
  after(() => fixture.dispose());

  for (const [language, { bad, good, rules }] of Object.entries(CODE)) {
    it(`S3-26: rules catch bad and pass good code in ${language}, which is detected`, async () => {
      const broken = await validate(bad, 'repository-pattern');
      expect(broken.language).to.equal(language);
      expect(broken.verdict).to.equal('violations');
      expect(broken.violations.map(({ rule }) => rule)).to.deep.equal(rules);
      const kept = await validate(good, 'repository-pattern');
      expect(kept).to.include({ verdict: 'compliant', compliant: true, language });
      expect(kept.rules_disabled).to.deep.equal([]);
    });
  }

  it('S3-25: a violation has its rule, words, severity, line and column, and suggests the fix', async () => {
    const report = await validate(
      'const a: number = 1;\n  db.query("SELECT id FROM orders");\n',
      'Repository Pattern',
    );
    expect(report.violations).to.deep.equal([
      {
        rule: 'no-sql-outside',
        description: 'SQL belongs into a repository.',
        severity: 'error',
        line: 2,
        column: 13,
        source: 'rule',
      },
    ]);
    expect(report.suggestions).to.deep.equal(['Move the query into a repository.']);
    expect(report).to.include({ compliant: false, pattern: 'Repository pattern' });
  });

  it('S3-25: a violation is an error or a warning, as its rule says', async () => {
    const code = 'import psycopg2\n\ndef run(x):\n    print(x)\n';
    const { violations } = await validate(code, 'repository-pattern');
    expect(violations.map(({ rule, severity }) => [rule, severity])).to.deep.equal([
      ['no-driver', 'error'],
      ['no-print', 'warning'],
    ]);
  });

  it('S3-26, C19: a pattern without rules gives its sentences as a checklist, and says to go through it', async () => {
    const outcome = await handler.handle({ code: 'const a = 1;', pattern_name: 'prose' });
    if (!outcome.success) throw new Error(outcome.error.message);
    expect(outcome.value).to.include({ verdict: 'undetermined', compliant: false });
    expect(outcome.value.checklist).to.deep.equal([
      { text: 'A service must return `Result`.', line: 3 },
      { text: 'It must not call `process.exit`.', line: 3 },
    ]);
    expect(outcome.instruction).to.contain('each line of `checklist`').and.to.contain('no approval');
    const ruled = await handler.handle({ code: 'const a = 1;', pattern_name: 'needs' });
    expect(ruled.success && ruled.value).not.to.have.property('checklist');
    expect(ruled.instruction).to.equal(undefined);
  });

  it('S3-27: a missing pattern lists the nearest names', async () => {
    const outcome = await handler.handle({ code: 'x', pattern_name: 'repositry-pattern' });
    expect(outcome.success === false && outcome.error.message).to.match(/Did you mean repository-pattern/);
    const far = await handler.handle({ code: 'x', pattern_name: 'zzzzzzzzzzzz' });
    expect(far.success === false && far.error.message).to.match(/There are: broken, needs, prose/);
  });

  it('S3-27: odd code is answered, never called compliant by accident', async () => {
    for (const code of ['\0\0', '((((((((', 'الكود', '#'.repeat(50_000)]) {
      const report = await validate(code, 'repository-pattern');
      expect(report.verdict).to.equal('undetermined');
    }
  });

  it('S3-47: a pattern without rules is never compliant; guesses are labelled and only warn', async () => {
    const report = await validate('process.exit(1);\nconst a = 1;\n', 'prose');
    expect(report).to.include({ verdict: 'undetermined', compliant: false, rules_checked: 0 });
    expect(report.violations.map(({ rule, severity, source }) => [rule, severity, source])).to.deep.equal([
      ['lacks Result', 'warning', 'heuristic'],
      ['mentions process.exit', 'warning', 'heuristic'],
    ]);
    expect((await validate('return Result.ok(1)', 'prose')).compliant).to.equal(false);
  });

  it('S3-49: disables and reports a rule that fails its own examples or is declared wrongly', async () => {
    const report = await validate('const a: number = 1;', 'broken');
    expect(report.rules_disabled.map(({ rule }) => rule).sort()).to.deep.equal([
      'not-linear',
      'two-checks',
      'wrong-example',
    ]);
    expect(report.verdict).to.equal('undetermined');
    expect((await validate('forbidden', 'broken')).verdict).to.equal('violations');
  });

  it('misses what a rule requires to be imported', async () => {
    expect((await validate("import x from './x.js';", 'needs')).verdict).to.equal('violations');
    expect((await validate("import pino from 'pino';", 'needs')).verdict).to.equal('compliant');
  });
});
