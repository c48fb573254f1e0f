import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { emitCommand } from '../../../src/domain/command/command-text.js';
import { ShellParser } from '../../../src/infrastructure/shell/shell-parser.js';

/** What bash and the emitted text must do alike. `@` stands for a home folder. */
const LINES: readonly string[] = [
  'echo one \\\n  two \\\n  three',
  'echo "a \\\nb"',
  'echo a &&\\\n  echo b',
  'LC_ALL=C sort names',
  "A=1 B='x y' printenv A B",
  'A=*.js printenv A',
  'A= printenv A',
  "A=1 sh -c 'printenv A; echo z'",
  'export A=1 && printenv A',
  'export A=1 B=2; printenv A B',
  'cd src && A=1 printenv A',
  'echo "$(cat <<\'EOF\'\nfeat: a (b)\n\nbody $HOME `x` "q" \\\\\n\nEOF\n)"',
  'printf "%s|" "x $(cat <<\'EOF\'\none\ntwo\nEOF\n) y" "$(cat <<"E"\nthree\nE\n)"',
  'echo src/{a,b}.js',
  'echo f{1..3}.txt {c..a} {3..1}',
  'echo a{,.bak} {x,y}{1,2} p/{q,r/{s,t}}',
  'ls -d src/*.{js,ts} {src,names}',
  'echo ~ ~/x a~b',
  'echo one > ~/written; cat ~/written',
  'cd ~ && echo x',
  'echo "cost 5$\'s"',
  'command -v no-such-program || echo none',
  'command -v sh >/dev/null 2>&1 && echo there',
  'set -e; echo a; false; echo b',
  'set -euo pipefail\nfalse | cat\necho b',
  'set +e; false; echo b',
  'sleep 0.2 & echo now',
  'echo a > out & sleep 0.3; cat out',
  'true && echo x > y & sleep 0.3; cat y',
  '(sleep 0.1 & echo sub); echo top',
  '{ echo g & }; sleep 0.2',
  '! true & sleep 0.1; echo $',
];

/** Near to the forms above, and not understood: nothing is guessed. */
const REFUSED: readonly string[] = [
  'ec\\\nho x',
  'PATH=/x ls',
  'IFS=x ls',
  'BASH_ENV=x ls',
  'LD_PRELOAD=x ls',
  'HOME=/x ls ~',
  'export PATH=/x; ls',
  'export A=$B',
  'export A',
  'A+=1 ls',
  'A[0]=1 ls',
  'A=(1 2) ls',
  'A=1 cd src',
  'A=1',
  "echo $(cat <<'EOF'\nx\nEOF\n)",
  'echo "$(cat <<EOF\nx\nEOF\n)"',
  'echo "$(cat <<\'EOF\'\nx\nEOF\nid)"',
  'echo "$(cat x <<\'EOF\'\nx\nEOF\n)"',
  'echo "$(cat <<\'EOF\' | sh\nid\nEOF\n)"',
  'ls {a,"b"}',
  'ls {a,$b}',
  '{ls,-la}',
  'ls > {a,b}',
  'ls ~root',
  'ls a=~',
  'set -x',
  'set -- a',
  'set -o posix',
  'command ls',
  'command -p ls',
  'ls & ; id',
  'ls && & id',
  'sleep 9 & wait',
];

describe('Forms that the exact reading has learned', () => {
  let folder: string;
  let parser: ShellParser;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-forms-'));
    mkdirSync(join(folder, 'src'));
    mkdirSync(join(folder, 'home'));
    for (const name of ['src/a.js', 'src/b.js', 'src/c.ts', 'names'])
      writeFileSync(join(folder, name), `${name}\n`);
    parser = new ShellParser(() => join(folder, 'home'));
    await parser.load();
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  const bash = (text: string) => {
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: join(folder, 'home') };
    const { stdout, stderr, status } = spawnSync('bash', ['--noprofile', '--norc', '-c', text], {
      cwd: folder,
      env,
    });
    return { stdout: stdout.toString(), stderr: stderr.toString().replace(/line \d+/g, 'line'), status };
  };

  for (const line of LINES) {
    it(`${JSON.stringify(line)} does what bash does`, () => {
      const plan = parser.parse(line, 'static');
      if (!plan.success) throw new Error(plan.error.message);
      const resolve = (program: string): string =>
        program.includes('/')
          ? program
          : bash(`type -P ${program} || echo /usr/bin/${program}`).stdout.trim();
      const emitted = emitCommand(plan.value.tree, resolve, () => undefined);
      expect(bash(emitted)).to.deep.equal(bash(line));
    });
  }

  it('leaves the rest to a shell, or refuses it', () => {
    for (const line of REFUSED) expect(parser.parse(line, 'static').success, line).to.equal(false);
  });

  it('tells which variables a line sets, and that a part goes on beside the others', () => {
    const plan = parser.parse('export A=1; B=2 ls & id', 'static');
    expect(plan.success && plan.value.variables).to.deep.equal([
      { name: 'A', value: '1' },
      { name: 'B', value: '2' },
    ]);
    expect(plan.success && plan.value.background).to.equal(true);
  });
});
