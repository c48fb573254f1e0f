import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { checkToolSpecification } from '../../../../src/presentation/docs/specification/specification-check.js';
import {
  specifyTool,
  specifyTools,
} from '../../../../src/presentation/docs/specification/tool-specification.js';
import { builtinTools } from '../../../../src/presentation/tools/builtin-tools.js';
import { echoTool } from '../../../../src/presentation/tools/utility/echo.tool.js';
import { definition } from '../../../support/sample-tool.js';

const ROOT = join(import.meta.dirname, '../../../..');
const ECHO = specifyTool(echoTool);

const messages = (text: string) =>
  checkToolSpecification(text).map(({ section, message }) => `${section ?? '-'}: ${message}`);

describe('The validator of specifications', () => {
  it('S2-21: accepts the committed document and each of the built-in tools', () => {
    expect(
      checkToolSpecification(readFileSync(join(ROOT, 'MCP_TOOL_SPECIFICATION.md'), 'utf8')),
    ).to.deep.equal([]);
    expect(checkToolSpecification(specifyTools(builtinTools, ['2025-11-25']))).to.deep.equal([]);
  });

  const wrong: readonly (readonly [string, (text: string) => string, RegExp])[] = [
    ['no tool at all', () => '# Nothing\n', /There is no tool/],
    ['a tool twice', (text) => `${text}\n\n${text}`, /specified twice/],
    ['no version', (text) => text.replace('Version 1.0.0', ''), /Version 1\.0\.0/],
    ['a missing section', (text) => text.replace('#### Idempotency', '##### Idempotency'), /in this order/],
    ['another invocation name', (text) => text.replace('`echo`', '`ekko`'), /Invocation Name: It must be/],
    [
      'an input without a row',
      (text) => text.replace(/^\| `message`.*\n/m, ''),
      /message is in the schema and not/,
    ],
    [
      'an input that the schema lacks',
      (text) => text.replace('| `message`', '| `massage`'),
      /massage is in the table/,
    ],
    [
      'a wrong need',
      (text) => text.replace('| `message` | string | No', '| `message` | string | Yes'),
      /must be No/,
    ],
    [
      'a blank description',
      (text) => text.replace(/The text to send back[^|"]*/, ''),
      /message: Description is empty/,
    ],
    [
      'a hollow description',
      (text) => text.replace(/The text to send back[^|"]*/, 'The value of the field. '),
      /say its purpose/,
    ],
    [
      'an input without an example',
      (text) => text.replace('| `"Hello"` |', '|  |'),
      /message: Example is empty/,
    ],
    [
      'an output without an example',
      (text) => text.replace('| `"Echo: Hello"` |', '|  |'),
      /content\[0\]\.text`?: Example is empty/,
    ],
    [
      'a schema that is no JSON',
      (text) => text.replace('"type": "object",', '"type": object,'),
      /schema of the arguments/,
    ],
    [
      'an error twice',
      (text) => text.replace('`CancelledError`', '`InternalError`'),
      /InternalError` is listed twice/,
    ],
    ['a code that does not exist', (text) => text.replace('-32011', '-1'), /-1 is no code/],
    [
      'an error without a condition',
      (text) => text.replace('the caller cancelled the call', ''),
      /say when it comes/,
    ],
    ['neither yes nor no', (text) => text.replace('Yes. ', ''), /Idempotency: Begin with/],
    [
      'an example of another tool',
      (text) => text.replace('"tool_name": "echo"', '"tool_name": "ekko"'),
      /must be JSON with/,
    ],
    [
      'an example that does not fit',
      (text) => text.replace('"message": "Hello"', '"massage": "Hello"'),
      /does not fit/,
    ],
    [
      'a placeholder',
      (text) => text.replace('"message": "Hello"', '"message": "your message here"'),
      /placeholder "your"/,
    ],
    [
      'security in two words',
      (text) => text.replace(/- \*\*Files[\s\S]*/, 'Quite safe.'),
      /Say what it means for "Secrets"/,
    ],
  ];
  for (const [what, change, message] of wrong) {
    it(`S2-21: finds ${what}`, () => {
      const changed = change(ECHO);
      expect(changed).not.to.equal(ECHO);
      expect(messages(changed).join('\n')).to.match(message);
    });
  }

  it('S2-21: tells an embedder what a definition leaves out', () => {
    const problems = messages(specifyTool(definition())).join('\n');
    expect(problems)
      .to.match(/Example is empty/)
      .and.match(/Say what it means for "Files"/);
    const notes = {
      answer: 'done',
      security: { files: 'None.', network: 'None.', execution: 'None.', changes: 'None.', secrets: 'None.' },
    };
    const words = { text: { type: 'string', description: 'Any text; it is not looked at.' } };
    const input = { type: 'object' as const, properties: words };
    expect(messages(specifyTool(definition({ specification: notes, input })))).to.deep.equal([]);
  });

  it('S2-21: finds what the template leaves open', () => {
    const template = readFileSync(join(ROOT, 'docs/template/MCP_TOOL_SPECIFICATION.md'), 'utf8');
    expect(messages(template).join('\n'))
      .to.match(/Idempotency: Begin with/)
      .and.match(/Security Considerations/);
  });
});
