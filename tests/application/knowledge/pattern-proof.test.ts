import { expect } from 'chai';
import { CheckedRules } from '../../../src/application/knowledge/checked-rules.js';
import { ValidatePatternHandler } from '../../../src/application/knowledge/validate-pattern.js';
import { CodeRuleChecker } from '../../../src/infrastructure/knowledge/code-rule-checker.js';
import { category, KnowledgeFixture } from '../../support/knowledge-fixture.js';

interface Case {
  readonly language: string;
  /** One rule as YAML, without id and message. */
  readonly rule: string;
  readonly bad: string;
  readonly good: string;
}

const GO = (body: string, imports = '') => `package main\n\n${imports}\nfunc f() {\n\t${body}\n}\n`;
const JAVA = (body: string, imports = '') => `${imports}\npublic class A {\n  void f() { ${body} }\n}\n`;

/** Rules that look right and find nothing, or prove nothing. Code that breaks them must never be called compliant. */
const WRONG: readonly Case[] = [
  { language: 'go', rule: 'ast_grep: fmt.Println($A)', bad: GO('fmt.Println(1)'), good: GO('log(1)') },
  { language: 'go', rule: 'ast_grep: { pattern: os.Exit($A) }', bad: GO('os.Exit(1)'), good: GO('log(1)') },
  { language: 'go', rule: "ast_grep: 'func ('", bad: GO('panic(1)'), good: GO('log(1)') },
  { language: 'typescript', rule: "ast_grep: 'eval('", bad: 'eval(x);\n', good: 'run(x);\n' },
  { language: 'typescript', rule: "regex: 'evil\\('", bad: 'eval(x);\n', good: 'run(x);\n' },
  { language: 'typescript', rule: "regex: 'eval$('", bad: 'eval(x);\n', good: 'run(x);\n' },
  {
    language: 'python',
    rule: 'ast_grep: { kind: no_such_kind }',
    bad: 'print(1)\n',
    good: 'log(1)\n',
  },
  {
    language: 'python',
    rule: 'ast_grep: { all: [{ pattern: print($A) }, { pattern: log($A) }] }',
    bad: 'print(1)\n',
    good: 'log(1)\n',
  },
  {
    language: 'java',
    rule: "regex: 'System.out.printn'",
    bad: JAVA('System.out.println(1);'),
    good: JAVA('log.info(1);'),
  },
  {
    language: 'java',
    rule: 'ast_grep: { pattern: System.err.println($A), inside: { kind: lambda_expression } }',
    bad: JAVA('System.err.println(1);'),
    good: JAVA('log.info(1);'),
  },
];

/** Each with a bad example that it finds, or of a kind that needs none. */
const RIGHT: readonly Case[] = [
  {
    language: 'go',
    rule: 'ast_grep: { pattern: { context: \'func f() { fmt.Println($A) }\', selector: call_expression } }\n    examples: { bad: ["package p\\nfunc f() { fmt.Println(1) }"] }',
    bad: GO('fmt.Println(1)'),
    good: GO('log(1)\n\t// fmt.Println(1)'),
  },
  {
    language: 'go',
    rule: 'forbid_imports: [database/sql]',
    bad: GO('log(1)', 'import (\n\t"fmt"\n\tdb "database/sql"\n)\n'),
    good: GO('log("import \\"database/sql\\"")', '// import "database/sql"\nimport "fmt"\n'),
  },
  {
    language: 'go',
    rule: 'require_imports: [log/slog]',
    bad: GO('log(1)', '// import "log/slog"\n'),
    good: GO('log(1)', 'import "log/slog"\n'),
  },
  {
    language: 'typescript',
    rule: 'ast_grep: eval($A)\n    examples: { bad: ["eval(x)"] }',
    bad: 'const y: string = eval(x);\n',
    good: 'const y: string = "eval(x)";\n',
  },
  {
    language: 'typescript',
    rule: 'forbid_imports: [pg]',
    bad: "import {\n  Pool,\n} from 'pg';\nexport const a: string = '';\n",
    good: "// import pg from 'pg';\nexport const a: string = \"import pg from 'pg'\";\n",
  },
  {
    language: 'typescript',
    rule: "regex: '\\bdebugger\\b'\n    examples: { bad: ['debugger;'] }",
    bad: 'debugger;\nconst a: number = 1;\n',
    good: 'const a: number = 1;\n',
  },
  {
    language: 'python',
    rule: 'forbid_imports: [psycopg2]',
    bad: 'import os, psycopg2 as db\n\ndef f(x):\n    return x\n',
    good: '"""\nimport psycopg2\n"""\n# import psycopg2\n\ndef f(x):\n    return x\n',
  },
  {
    language: 'python',
    rule: 'ast_grep: print($$$A)\n    examples: { bad: ["print(1)"] }',
    bad: 'def f(x):\n    print(x, 1)\n',
    good: 'def f(x):\n    return "print(1)"\n',
  },
  {
    language: 'java',
    rule: 'forbid_imports: [java.sql]',
    bad: JAVA('log.info(1);', 'import java.sql.Connection;\n'),
    good: JAVA('log.info("import java.sql.Connection;");', '/* import java.sql.Connection; */\n'),
  },
  {
    language: 'java',
    rule: 'max_lines: 4',
    bad: JAVA('log.info(1);\n\n\n\n'),
    good: JAVA('log.info(1);'),
  },
];

describe('Rules of patterns', () => {
  const fixture = new KnowledgeFixture([category('patterns')]);
  const checker = new CodeRuleChecker();
  const rules = new CheckedRules(checker);
  const handler = new ValidatePatternHandler(
    fixture.library,
    fixture.settings,
    rules,
    checker,
    fixture.address,
  );
  const declare = (name: string, { language, rule }: Case) =>
    fixture.put(
      `patterns/${name}.md`,
      `---\nrules:\n  - id: ${name}\n    message: No.\n    languages: [${language}]\n    ${rule}\n---\n# ${name}\n`,
    );
  const validate = async (code: string, pattern_name: string, language: string) => {
    const outcome = await handler.handle({ code, pattern_name, language });
    if (!outcome.success) throw new Error(outcome.error.message);
    return outcome.value;
  };

  before(() => {
    for (const [index, each] of WRONG.entries()) declare(`wrong-${index}`, each);
    for (const [index, each] of RIGHT.entries()) declare(`right-${index}`, each);
  });
  after(() => fixture.dispose());

  for (const [index, { language, rule, bad, good }] of WRONG.entries()) {
    it(`${language}: ${rule.replaceAll('\n', ' ')} never makes code compliant`, async () => {
      for (const code of [bad, good]) {
        const report = await validate(code, `wrong-${index}`, language);
        expect(report.verdict, JSON.stringify(report)).to.equal('undetermined');
        expect(report.compliant).to.equal(false);
        const named = [...report.rules_unproved, ...report.rules_disabled.map((each) => each.rule)];
        expect(named).to.deep.equal([`wrong-${index}`]);
      }
    });
  }

  for (const [index, { language, rule, bad, good }] of RIGHT.entries()) {
    it(`${language}: ${rule.split('\n')[0]} finds what it is for and nothing else`, async () => {
      const broken = await validate(bad, `right-${index}`, language);
      expect(broken.verdict, JSON.stringify(broken)).to.equal('violations');
      const kept = await validate(good, `right-${index}`, language);
      expect(kept.verdict, JSON.stringify(kept)).to.equal('compliant');
      expect(kept.rules_unproved).to.deep.equal([]);
    });
  }

  it('says at load that a Go call without context can never match, and how to write it', async () => {
    const [problem] = (await handler.lint()).filter((each) => each.rule === 'wrong-0');
    expect(problem?.reason).to.match(/can never match in go.*context, selector/);
  });
});
