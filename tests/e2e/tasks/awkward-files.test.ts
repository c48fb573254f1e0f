import { expect } from 'chai';
import { TaskTwins } from '../../support/task-twins.js';

const MAKE = String.raw`
git init -q -b main
printf 'caf\351 na\357ve\nline two\n' > latin1.txt
printf 'one\r\ntwo\r\nthree\r\n' > crlf.txt
printf '\357\273\277first\nsecond\n' > bom.txt
printf '\377\376h\0i\0\n\0' > utf16.txt
printf 'no end' > open.txt
: > empty.txt
printf 'a\0b\n' > binary.dat
head -c 300000 /dev/zero | tr '\0' x > long.txt; printf ' needle\n' >> long.txt
mkdir 'two words' 'new
line'
printf 'spaced\n' > 'two words/a b.txt'
printf 'broken\n' > 'new
line/x
y.txt'
printf 'quoted\n' > "it's \"here\".txt"
printf 'dashed\n' > ./-n
printf 'wide\n' > 'größe-寬.txt'
mkfifo pipe
ln -s nowhere dangling
ln -s 'two words/a b.txt' link.txt
printf '#!/bin/sh\necho ran\n' > run.sh; chmod +x run.sh
`;

const LINES: readonly string[] = [
  'cat latin1.txt crlf.txt bom.txt open.txt empty.txt',
  'wc -c *.txt -- -n binary.dat',
  'file -b latin1.txt crlf.txt bom.txt utf16.txt empty.txt binary.dat pipe',
  'iconv -f latin1 -t utf-8 latin1.txt > utf8.txt && cat utf8.txt',
  "sed -i 's/two/zwei/' crlf.txt && od -c crlf.txt | head -3",
  "tr -d '\\r' < crlf.txt > lf.txt; cmp crlf.txt lf.txt",
  'grep -c needle long.txt; grep -o ".\\{3\\} needle" long.txt; cut -c1-20 long.txt',
  'find . -path ./.git -prune -o -type f -name "*.txt" -print0 | sort -z | xargs -0 sha1sum | tail -4',
  'for f in *.txt -n; do [ -f "$f" ] && printf "%q\\n" "$f"; done',
  'ls -b; ls -b "two words"',
  'cat < -n; cat -- -n; cat ./-n',
  'cat "two words/a b.txt" \'new\nline/x\ny.txt\' "it\'s \\"here\\".txt" größe-寬.txt',
  'mv "two words" "three small words" && cat "three small words/a b.txt"',
  'readlink dangling; cat dangling; [ -e dangling ]; echo $?',
  'timeout 0.3 cat pipe; echo $?',
  'echo through > pipe & cat pipe; wait',
  '[ -p pipe ] && echo still a pipe; cp -a pipe pipe2; rm pipe2',
  './run.sh; chmod -x run.sh; ./run.sh',
  'git add -A 2>&1; git status --porcelain',
  'git -c core.quotePath=false ls-files | sort',
  'rm -- -n; rm -r new*; ls | wc -l',
];

describe('An agent among awkward files', () => {
  const twins = new TaskTwins();
  before(() => twins.begin(MAKE));
  after(() => twins.stop());

  it('gets from commands what plain bash gives', async function () {
    this.timeout(120_000);
    for (const line of LINES)
      await twins.same(line, line.startsWith('./run.sh') ? { note: /not executable/ } : {});
  });

  it('edits each in its own encoding and line ends', async () => {
    const edit = (path: string, old_text: string, new_text: string, instead: string) =>
      twins.tool('edit_file', { path, edits: [{ old_text, new_text }] }, instead);
    await edit('crlf.txt', 'three', 'drei', "sed -i 's/three/drei/' crlf.txt");
    await edit('bom.txt', 'first', 'erste', "sed -i 's/first/erste/' bom.txt");
    await edit('open.txt', 'no end', 'no line end', "printf 'no line end' > open.txt");
    await edit('three small words/a b.txt', 'spaced', 'far', "echo far > 'three small words/a b.txt'");
    await edit('long.txt', ' needle', ' pin', "sed -i 's/ needle/ pin/' long.txt");
  });

  it('reads each, or is told what it is', async () => {
    const read = (path: string) => twins.person.reads('read_file', { path });
    expect((await read('crlf.txt')).texts[0]).to.include('drei');
    expect((await read('bom.txt')).texts[0]).to.match(/^erste\nsecond/);
    expect((await read('empty.txt')).isError).to.equal(false);
    expect((await read('utf16.txt')).texts[0]).to.match(/^hi\n/);
    for (const [path, reason] of [
      ['latin1.txt', /iso-8859-1|latin1|windows-1252/i],
      ['binary.dat', /binary/i],
      ['pipe', /pipe|fifo|not a (regular )?file/i],
      ['dangling', /no such file/i],
    ] as const) {
      const { isError, texts } = await read(path);
      expect(isError, path).to.equal(true);
      expect(texts.join(' '), path).to.match(reason);
    }
    const latin = await twins.person.reads('read_file', { path: 'latin1.txt', encoding: 'latin1' });
    expect(latin.texts[0]).to.include('café naïve');
  });

  it('finds and lists them by their names', async () => {
    const { texts } = await twins.person.reads('list_directory', { path: '.' });
    for (const name of ['größe-寬.txt', 'three small words', 'empty.txt', 'pipe', "it's"])
      expect(texts.join('\n')).to.include(name);
    const found = await twins.person.reads('search_content', { query: 'far' });
    expect(found.texts.join('\n')).to.include('three small words/a b.txt');
  });
});
