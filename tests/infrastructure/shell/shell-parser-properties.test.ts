import { expect } from 'chai';
import fc from 'fast-check';
import { before, describe, it } from 'mocha';
import type { CommandParser } from '../../../src/application/ports/command/command-parser.js';
import { wordText } from '../../../src/domain/command/command-plan.js';
import { emitCommand } from '../../../src/domain/command/command-text.js';
import { loadShellParser } from '../../../src/infrastructure/shell/shell-parser.js';
import { commandLines } from '../../support/command-line-arbitrary.js';

const long = process.env.CASTELLAN_LONG === '1';

describe('ShellParser, whatever it is given,', () => {
  let parser: CommandParser;

  before(async () => {
    parser = await loadShellParser();
  });

  it('answers, and never throws', () => {
    const pieces = fc.constantFrom(
      ...[
        "'",
        '"',
        '\\',
        '$',
        '`',
        '(',
        ')',
        '{',
        '}',
        '[',
        ']',
        '<',
        '>',
        '|',
        '&',
        ';',
        '\n',
        ' ',
        '\t',
        '~',
        '#',
        '!',
      ],
      ...[
        '*',
        '?',
        '=',
        ',',
        '..',
        'a',
        'ls',
        'cd',
        'if',
        'sh -c ',
        'env ',
        '2',
        '0',
        '<<',
        'EOF',
        '\u00a0',
        '\ud800',
        '\0',
        'time ',
        'xargs ',
      ],
    );
    const texts = fc.oneof(
      fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join('')),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const result = parser.parse(text, 'static');
        if (!result.success) return typeof result.error.hint === 'string';
        const emitted = emitCommand(
          result.value.tree,
          (program) => `/bin/${program}`,
          () => [],
        );
        return parser.parse(emitted, 'static').success;
      }),
      { numRuns: long ? 100_000 : 1000 },
    );
  });

  it('reads its own re-emitted text as the same tree', () => {
    fc.assert(
      fc.property(commandLines({ directories: false, scripts: false }), (line) => {
        const first = parser.parse(line, 'static');
        if (!first.success) throw new Error(`${line}: ${first.error.message}`);
        const emitted = emitCommand(
          first.value.tree,
          (program) => `/${program}`,
          (pattern) => [`=${pattern}`],
        );
        const second = parser.parse(emitted, 'static');
        if (!second.success) throw new Error(`${emitted}: ${second.error.message}`);
        const again = emitCommand(
          second.value.tree,
          (program) => program,
          () => [],
        );
        expect(again).to.equal(emitted);
        expect(shape(second.value.tree)).to.equal(shape(first.value.tree));
      }),
      { numRuns: long ? 20_000 : 200 },
    );
  });

  it('plans the re-emitted text as it planned the first', () => {
    fc.assert(
      fc.property(commandLines({ directories: true, scripts: false }), (line) => {
        const first = parser.parse(line, 'static');
        if (!first.success) return true;
        const emitted = emitCommand(
          first.value.tree,
          (program) => `/${program}`,
          () => [],
        );
        const second = parser.parse(emitted, 'static');
        if (!second.success) throw new Error(`${emitted}: ${second.error.message}`);
        const flat = (plan: typeof first.value): readonly string[] =>
          plan.programs.map(
            (call) =>
              `${call.program.replace(/^\//, '')} ${call.args.map(wordText).join(' ')} ${call.directory}`,
          );
        expect(flat(second.value)).to.deep.equal(flat(first.value));
        return true;
      }),
      { numRuns: long ? 20_000 : 200 },
    );
  });
});

/** The structure alone: programs are absolute and globs are names after the first pass. */
function shape(tree: unknown): string {
  return JSON.stringify(tree, (key, value: unknown) =>
    key === 'words' && Array.isArray(value) ? value.length : value,
  );
}
