import { expect } from 'chai';
import { before, describe, it } from 'mocha';
import type { CommandParser } from '../../../src/application/ports/command/command-parser.js';
import { wordText } from '../../../src/domain/command/command-plan.js';
import { loadShellParser } from '../../../src/infrastructure/shell/shell-parser.js';
import { ACCEPTED_COMMAND_LINES } from '../../support/accepted-command-lines.js';
import { HONEST_FILE_LINES, HONEST_SCRIPTS } from '../../support/honest-file-lines.js';
import { HONEST_PROJECT_LINES } from '../../support/honest-project-lines.js';
import { REFUSED_COMMANDS } from '../../support/refused-commands.js';
import { REFUSED_TEXT } from '../../support/refused-text.js';

const HONEST = [...HONEST_PROJECT_LINES, ...HONEST_FILE_LINES, ...HONEST_SCRIPTS];

describe('ShellParser', () => {
  let parser: CommandParser;

  before(async () => {
    parser = await loadShellParser();
  });

  function calls(line: string): readonly string[] {
    const result = parser.parse(line, 'static');
    if (!result.success) throw new Error(`${line}: ${result.error.message}`);
    const started = result.value.programs.filter((call) => !call.possible);
    return started.map((call) => {
      const words = [
        call.program,
        ...call.args.map((word) => (word.kind === 'glob' ? `glob:${word.pattern}` : word.text)),
      ];
      return words.join('␣') + (call.directory === '.' ? '' : `@${call.directory}`);
    });
  }

  function files(line: string): readonly string[] {
    const result = parser.parse(line, 'static');
    if (!result.success) throw new Error(`${line}: ${result.error.message}`);
    return result.value.files.map((file) => `${file.mode} ${file.directory} ${file.path}`);
  }

  describe('refuses', () => {
    for (const [kind, lines] of Object.entries({ ...REFUSED_COMMANDS, ...REFUSED_TEXT })) {
      it(`${kind}, with a reason and what to write instead`, () => {
        for (const line of lines) {
          const result = parser.parse(line, 'static');
          expect(result.success, JSON.stringify(line)).to.equal(false);
          if (result.success) continue;
          expect(result.error.message, line).to.not.equal('');
          expect(result.error.hint, line).to.not.equal('');
        }
      });
    }

    it('with the column where the trouble is', () => {
      const columns: readonly (readonly [string, number])[] = [
        ['echo $HOME', 6],
        ['ls a && echo "x$(id)"', 16],
        ['ls; for f in $x; do ls; done', 5],
        ['while read x; do echo "$x"; done', 1],
        ['ls | cat ~root', 10],
        ['echo {a,"b"}', 6],
        ['ls\u00a0x', 3],
        ['echo `id`', 6],
        ['A=1', 1],
      ];
      for (const [line, column] of columns) {
        const result = parser.parse(line, 'static');
        expect(result.success ? undefined : result.error.column, line).to.equal(column);
        expect(result.success ? undefined : result.error.reason, line).to.equal('SHELL_SYNTAX');
      }
    });

    it('an unclosed quote as UNPARSEABLE and an expansion as SHELL_SYNTAX', () => {
      const broken = parser.parse("ls 'a", 'static');
      const expansion = parser.parse('ls $(id)', 'static');
      expect(broken.success ? '' : broken.error.reason).to.equal('UNPARSEABLE');
      expect(expansion.success ? '' : expansion.error.reason).to.equal('SHELL_SYNTAX');
      expect(expansion.success ? '' : expansion.error.hint).to.equal(
        'run the inner command first and pass its result',
      );
    });

    it('more than 64 KiB, 256 programs or 64 nested groups', () => {
      const lines = [
        `echo ${'a'.repeat(65_536)}`,
        `echo '${'ä'.repeat(40_000)}'`,
        Array.from({ length: 257 }, () => 'ls').join(';'),
        `${'( '.repeat(200)}ls${' )'.repeat(200)}`,
        `${'('.repeat(30_000)}ls${')'.repeat(30_000)}`,
        `${'{ '.repeat(5000)}ls${'; }'.repeat(5000)}`,
        'a|'.repeat(20_000),
        'a<<x '.repeat(10_000),
        `${'a&&'.repeat(16_000)}a`,
        "''".repeat(32_000),
        '{'.repeat(60_000),
        '['.repeat(60_000),
        '\\a'.repeat(30_000),
        `bash -c '${'( '.repeat(5000)}'`,
        'env '.repeat(3000),
        `$x;${'while '.repeat(10_000)}`,
        `$x;${';   '.repeat(10_000)}do`,
      ];
      // Each so hostile that a reader which tries again and again would not come to an end.
      const parsed = lines.map((line) => parser.parse(line, 'static'));
      for (const { success } of parsed.slice(0, 8)) expect(success).to.equal(false);
    });
  });

  describe('accepts', () => {
    for (const [line, programs, redirected] of ACCEPTED_COMMAND_LINES) {
      it(JSON.stringify(line), () => {
        expect(calls(line)).to.deep.equal(programs);
        if (redirected !== undefined) expect(files(line)).to.deep.equal(redirected);
      });
    }

    it(`the ${HONEST.length} command lines that coding agents really use`, () => {
      const refused = HONEST.flatMap((line) => {
        const result = parser.parse(line, 'static');
        return result.success ? [] : [`${line}: ${result.error.message}`];
      });
      expect(refused).to.deep.equal([]);
    });
  });

  describe('in the mode none', () => {
    it('accepts one simple command', () => {
      for (const line of ['ls', 'ls -la src', "grep 'a b' x", 'ls *.ts', 'env ls']) {
        expect(parser.parse(line, 'none').success, line).to.equal(true);
      }
    });

    it('refuses everything that needs a shell', () => {
      for (const line of [
        'ls | wc',
        'ls; id',
        'ls && id',
        '(ls)',
        '{ ls; }',
        'ls > f',
        'cd a',
        'ls\nid',
        '! ls',
        'time ls',
        'bash -c "ls $X"',
      ]) {
        expect(parser.parse(line, 'none').success, line).to.equal(false);
      }
    });
  });

  describe('given an argv', () => {
    it('takes every character as it is', () => {
      const args = ['$HOME', '`id`', '*', '~', 'a b', '', "'", '{a,b}', '\n', ';', '-x'];
      const result = parser.fromArgv('echo', args, 'static');
      if (!result.success) throw new Error(result.error.message);
      expect(result.value.programs.map((call) => call.args.map(wordText))).to.deep.equal([args]);
    });

    it('opens wrappers and refuses what no program can be given', () => {
      const wrapped = parser.fromArgv('env', ['A=1', 'sh', '-c', 'ls; id'], 'static');
      expect(wrapped.success && wrapped.value.programs.map((call) => call.program)).to.deep.equal([
        'env',
        'sh',
        'ls',
        'id',
      ]);
      const unfit: readonly (readonly [string, readonly string[]])[] = [
        ['', []],
        ['ls', ['a\0b']],
        ['ls', ['\ud800']],
        ['ls', ['a'.repeat(200_000)]],
        ['cd', ['x']],
        ['eval', ['ls']],
        ['sh', ['-c', 'ls $X']],
      ];
      for (const [command, args] of unfit)
        expect(parser.fromArgv(command, args, 'static').success, command).to.equal(false);
    });
  });
});
