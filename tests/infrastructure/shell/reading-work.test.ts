import { expect } from 'chai';
import { describe, it } from 'mocha';
import { parse } from 'unbash';
import { takesTooLong } from '../../../src/infrastructure/shell/reading-work.js';
import { ShellReader } from '../../../src/infrastructure/shell/shell-reader.js';

const LENGTH = 64_000;
const fill = (unit: string, before = 'echo '): string =>
  before + unit.repeat(Math.floor((LENGTH - before.length) / unit.length));

/** Each took the parser between half a second and a minute. */
const LONG: readonly (readonly [what: string, text: string])[] = [
  ['open braces', fill('{')],
  ['open braces without a program', fill('{{', '')],
  ['lists that do not end', fill('{a,')],
  ['braces in braces', `echo ${'{'.repeat(LENGTH / 2)}${'}'.repeat(LENGTH / 2)}`],
  ['old arithmetic', fill('$[')],
  ['old arithmetic between blanks', fill('$[ ')],
  ['old arithmetic in quotes', fill('$[', 'echo "')],
  ['substitutions', fill('$(')],
  ['substitutions of programs', fill('$(a ')],
  ['arithmetic', fill('$((')],
  ['processes', fill('<(')],
  ['processes that read', fill('>(')],
  ['backquotes', fill('`a ')],
  ['documents without a body', fill('<<a ')],
  ['behind what looks like a document', `: $((1<<'A'))\n${fill('$(', '')}\nA\n`],
  ['behind a document in a comment', `: # <<'A'\n${fill('$(', '')}\nA\n`],
  ['behind a document in a text of two lines', `: "\n<<'A'\n" ${fill('$(', '')}\nA\n`],
  ['behind a document that does not end', `cat <<'A'\n${fill('$(', '')}\n`],
  ['between two documents', `cat <<'A'\nA\n${fill('$(', '')}\ncat <<'B'\nB\n`],
];

const HONEST: readonly (readonly [what: string, text: string])[] = [
  [
    'a script that is written to a file',
    `cat > a.sh <<'EOF'\n${fill('x=$(date) ${y} {\n', '')}\nEOF\nsh a.sh`,
  ],
  ['settings without blanks', `mkdir -p a && cat > a.json <<"EOF"\n${fill('{"a":{"b":[1]}},', '')}\nEOF`],
  ['two files', `cat > a <<'A'\n${'$(x)'.repeat(5_000)}\nA\ncat > b <<-'B'\n${'{'.repeat(9_000)}\n\tB\n`],
  ['many substitutions', 'echo "$(date)" $(pwd)\n'.repeat(80)],
  ['a long line of braces', 'cp {a,b}/{c,d}.ts out; '.repeat(500)],
  ['words of JSON', fill(`'{"a":{"b":1}}' `)],
];

describe('The work of reading a command', () => {
  for (const [what, text] of LONG) {
    it(`is not begun for ${what}`, () => {
      let characters = 0;
      const counting: typeof parse = (source) => {
        characters += source.length;
        return parse(source);
      };
      const plan = new ShellReader(counting, '/home/sandbox').parse(text, 'full');
      expect(characters).to.equal(0);
      // The words it shows are still held against the rules.
      expect(plan.success && plan.value.unread).to.equal(true);
      expect(new ShellReader(counting, '/home/sandbox').parse(text, 'static').success).to.equal(false);
      expect(characters).to.equal(0);
    });
  }

  for (const [what, text] of HONEST) {
    it(`is done for ${what}`, () => {
      expect(takesTooLong(text)).to.equal(false);
    });
  }

  it('ends where a program names itself again and again', () => {
    for (const word of ['exec ', 'command ', 'builtin ', 'exec command ']) {
      const plan = new ShellReader(parse, '/home/sandbox').parse(fill(word, ''), 'full');
      expect(plan.success && plan.value.unread, word).to.equal(true);
    }
  });

  it('counts the words that braces make', () => {
    const reader = new ShellReader(parse, '/home/sandbox');
    expect(reader.parse('echo {1..200} '.repeat(10), 'static').success).to.equal(true);
    expect(reader.parse(fill('{1..200} '), 'static').success).to.equal(false);
    const plan = reader.parse(fill('{1..200} '), 'full');
    expect(plan.success && plan.value.unread).to.equal(true);
    const shown = plan.success ? plan.value.programs.flatMap(({ args }) => args).length : 0;
    expect(shown).to.be.lessThan(20_000);
  });

  it('follows no more folders and commands than a text may have', () => {
    const reader = new ShellReader(parse, '/home/sandbox');
    for (const unit of ['cd ..;', 'cd a;', 'a|', 'a&&', '>a;', 'a=1 b;']) {
      const plan = reader.parse(`${fill(unit, '$x;')}:`, 'full');
      expect(plan.success && plan.value.unread, unit).to.equal(true);
      const length = plan.success
        ? plan.value.programs.reduce((sum, { directory }) => sum + directory.length, 0)
        : 0;
      expect(length, unit).to.be.lessThan(8_000_000);
    }
  });
});
