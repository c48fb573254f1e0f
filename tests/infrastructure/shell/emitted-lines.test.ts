import { expect } from 'chai';
import { before, describe, it } from 'mocha';
import type { CommandParser } from '../../../src/application/ports/command/command-parser.js';
import { emitCommand } from '../../../src/domain/command/command-text.js';
import { loadShellParser } from '../../../src/infrastructure/shell/shell-parser.js';
import { mustFail, mustValue } from '../../support/sample-tool.js';

/** Lines, and the text that is run in their place. A pattern is expanded to its folder and itself. */
const EMITTED: readonly (readonly [string, string])[] = [
  ['ls | wc', "'/bin/ls' | '/bin/wc'"],
  ['! ls', "! '/bin/ls'"],
  ['! ls | wc', "! '/bin/ls' | '/bin/wc'"],
  ['time ls', "time '/bin/ls'"],
  ['(cd d; ls)', "( ( cd -- './d' ) ; ( cd -- './d' && '/bin/ls' ) )"],
  ['{ ls; pwd; }', "{ '/bin/ls' ; '/bin/pwd' ; }"],
  ['{ ls; } > out', "{ '/bin/ls' ; } 1> 'out'"],
  ['( ls ) 2>&1', "( '/bin/ls' ) 2>&1"],
  [
    'cd d && ls > out && cat < in',
    "( cd -- './d' ) && ( cd -- './d' && '/bin/ls' ) 1> 'd/out' && ( cd -- './d' && '/bin/cat' ) 0< 'd/in'",
  ],
  [
    'cd d && cd e && ls >> /abs',
    "( cd -- './d' ) && ( cd -- './d/e' ) && ( cd -- './d/e' && '/bin/ls' ) 1>> '/abs'",
  ],
  ['ls *.ts', "'/bin/ls' '.:*.ts'"],
  ['ls -- -*', "'/bin/ls' '--' '.:-*'"],
  ['ls [a-c]?', "'/bin/ls' '.:[a-c]?'"],
  ['cat <<< hi', "'/bin/cat' 0<<< 'hi'"],
  ['cat <<< ""', "'/bin/cat' 0<<< ''"],
  ["cat <<'E'\na\nb\nE\n", "'/bin/cat' 0<<< 'a\nb'"],
  ['echo x > /dev/stdout', "'/bin/echo' 'x' 1>&1"],
  ['echo x > /dev/stderr', "'/bin/echo' 'x' 1>&2"],
  ['cat < /dev/stdin', "'/bin/cat' 0<&0"],
  ['ls; pwd || cat a && wc', "'/bin/ls' ; '/bin/pwd' || '/bin/cat' 'a' && '/bin/wc'"],
  ['(ls; pwd) | wc', "( '/bin/ls' ; '/bin/pwd' ) | '/bin/wc'"],
  ['touch a; ls *.ts', "'/bin/touch' 'a' ; '/bin/ls' ./*'.ts'"],
  ['bash -c "ls *.ts; pwd"', "( '/bin/ls' '.:*.ts' ; '/bin/pwd' )"],
  ['cd d && bash -c "ls"', "( cd -- './d' ) && ( ( cd -- './d' && '/bin/ls' ) )"],
  ['env A=1 ls', "'/bin/env' 'A=1' '/bin/ls'"],
  ['ls && cd x && pwd', "'/bin/ls' && ( cd -- './x' ) && ( cd -- './x' && '/bin/pwd' )"],
  ['(cd x); ls', "( ( cd -- './x' ) ) ; '/bin/ls'"],
  ['cd x | ls; pwd', "( cd -- './x' ) | '/bin/ls' ; '/bin/pwd'"],
  ['A=1 ls', "A='1' '/bin/ls'"],
  ['command -v ls', "command '-v' 'ls'"],
  ['cd d && command -v ls', "( cd -- './d' ) && ( cd -- './d' && command '-v' 'ls' )"],
  ['ls & pwd', "{ '/bin/ls' ; } & '/bin/pwd'"],
  ['true && { ls; pwd; } | wc', "'/bin/true' && { '/bin/ls' ; '/bin/pwd' ; } | '/bin/wc'"],
];

/** Lines that leave open where a later command runs. */
const UNKNOWN_FOLDER = [
  'ls &&  { pwd; } || cd x',
  '{ cd x; } && ls',
  'ls || cd x',
  'cd x || ls',
  'ls && cd x; pwd',
  'time cd x; ls',
];

describe('A line that is run', () => {
  let parser: CommandParser;
  before(async () => {
    parser = await loadShellParser();
  });

  for (const [line, text] of EMITTED) {
    it(`${JSON.stringify(line)} is re-emitted with every word quoted and every program bound to its folder`, () => {
      const { tree } = mustValue(parser.parse(line, 'static'));
      const emitted = emitCommand(
        tree,
        (program) => `/bin/${program}`,
        (pattern, directory, changed) => (changed ? undefined : [`${directory}:${pattern}`]),
      );
      expect(emitted).to.equal(text);
    });
  }

  for (const line of UNKNOWN_FOLDER) {
    it(`${JSON.stringify(line)} is refused, because the folder of what follows is not known`, () => {
      expect(mustFail(parser.parse(line, 'static')).error).to.include({ reason: 'SHELL_SYNTAX' });
    });
  }
});
