import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { checkCall, checkProgramOptions } from '../../../../src/domain/command/programs/program-options.js';
import { HARMLESS_OPTION_LINES } from '../../../support/harmless-option-lines.js';
import { HAZARDOUS_OPTION_LINES } from '../../../support/hazardous-option-lines.js';
import { call, words } from '../../../support/words.js';

function lines(table: string): readonly (readonly [string, readonly string[]])[] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [program = '', ...args] = line.split(' ').map((word) => word.replaceAll('␣', ' '));
      return [program, args];
    });
}

describe('checkProgramOptions', () => {
  for (const [program, args] of lines(HARMLESS_OPTION_LINES)) {
    it(`lets ${program} ${args.join(' ')} pass`, () => {
      const result = checkProgramOptions(program, words(...args));
      expect(result.success ? result.value.known : result.error.message).to.equal(true);
    });
  }

  for (const [program, args] of lines(HAZARDOUS_OPTION_LINES)) {
    it(`refuses ${program} ${args.join(' ')}, with its reason`, () => {
      const result = checkProgramOptions(program, words(...args));
      expect(result.success ? 'accepted' : result.error.reason).to.equal('HAZARDOUS_ARGUMENT');
      expect(result.success ? '' : result.error.hint).to.not.equal('');
    });
  }

  it('says what a short form of a harmful option stands for', () => {
    const result = checkProgramOptions('sort', words('--compress-prog=x'));
    expect(result.success ? '' : result.error.message).to.include(
      '--compress-program, which runs another program',
    );
  });

  it('asks for the whole name of an option it knows', () => {
    const result = checkProgramOptions('sort', words('--rev'));
    expect(result.success ? '' : result.error.hint).to.equal('write it in full: --reverse');
  });

  it('does not understand a sed text that ends before it seems to', () => {
    for (const script of [
      'a foo\\\\\nw x',
      'i\\\nfoo\nw x',
      'c x\nr f',
      '1!{p\nw x\n}',
      's/a/\\/\nw f/',
      'a x\\\ny',
    ]) {
      expect(checkProgramOptions('sed', words(script, 'a')).success, JSON.stringify(script)).to.equal(false);
    }
    for (const script of ['i\\\nw x', '/x/{\n1,2a \\\n  w x }\n}']) {
      expect(checkProgramOptions('sed', words(script, 'a')).success, JSON.stringify(script)).to.equal(true);
    }
  });

  for (const [script, at] of [
    ['w x', 1],
    ['p;w x', 3],
    ['p\nw x', 3],
    ['/a/w x', 1],
    ['1,w x', 1],
    ['1,2p x', 1],
    ['p }', 3],
    ['{p', 3],
    ['{p\n', 4],
    ['a\\', 3],
    ['a\\\nx\\', 5],
    ['s/a/b', 1],
    ['s/a/b/w x', 1],
    ['s/[/]/b/', 1],
    ['y/a/b/g', 1],
    ['sxaxbx', 1],
    ['s\\a\\b\\', 1],
    ['/a', 1],
    ['\\', 1],
    ['b x;y', 5],
  ] as const) {
    it(`stops understanding the sed script ${JSON.stringify(script)} at character ${at}`, () => {
      const result = checkProgramOptions('sed', words(script, 'a'));
      const told = `from character ${at} on`;
      expect(result.success ? 'understood' : result.error.message).to.include(told);
    });
  }

  for (const script of [
    '',
    'p',
    '1p;$d',
    '1,/b/d',
    '1, 3p',
    '1~2d',
    '2,+3!p',
    '\\%a%Id',
    '/[]a]/p',
    '/[^]]/p',
    '{p;p}',
    '/a/{ p; q5 }',
    'p # w x',
    '# w x',
    ':a;N;ba',
    't',
    'l 20',
    'a text w x',
    '$!N',
    's/a/b/gI2p',
    's|a|b|;s,c,d,',
    's/\\//x/',
    's/[a]/[/',
    'y/[/]/',
    'a\\\ntext w x\np',
    ' \tp ; ; p',
  ]) {
    it(`understands the sed script ${JSON.stringify(script)}`, () => {
      const result = checkProgramOptions('sed', words(script, 'a'));
      expect(result.success ? 'understood' : result.error.message).to.equal('understood');
    });
  }

  it('reads several sed scripts as the lines of one', () => {
    expect(checkProgramOptions('sed', words('-e', '{', '-e', 'p', '--expression=}', 'w')).success).to.equal(
      true,
    );
    expect(checkProgramOptions('sed', words('-e', 'p', '-e', 'w x')).success).to.equal(false);
    expect(checkProgramOptions('sed', words()).success).to.equal(true);
    expect(checkProgramOptions('sed', words('glob:*')).success).to.equal(false);
  });

  it('reads a sed script of the greatest length in one pass, however hostile it is', () => {
    // Read in the square of their length, these would take minutes.
    for (const pattern of ['['.repeat(130_000), '[a'.repeat(65_000)]) {
      for (let round = 0; round < 20; round += 1)
        expect(checkProgramOptions('sed', words(`s/${pattern}/b/`, 'a')).success).to.equal(false);
    }
  });

  it('knows nothing about a program that is not in its tables', () => {
    for (const name of ['frobnicate', 'constructor', '__proto__', 'toString', '']) {
      const result = checkProgramOptions(name, words('--anything'));
      expect(result.success && result.value.known, name).to.equal(false);
    }
  });

  it('lets programs that fetch or convert save their result, and refuses what brings them code or options', () => {
    for (const line of [
      'curl -o page.html http://localhost:8000',
      'curl -sLO http://localhost:8000/file.tar.gz',
      'curl -s -o /dev/null -w %{http_code} -X DELETE http://localhost:8000',
      'curl http://localhost:8000 --proxy http://localhost:8909',
      'wget -O page.html http://localhost:8000',
      'pandoc -o page.html page.md',
    ]) {
      const [program = '', ...args] = line.split(' ');
      expect(checkProgramOptions(program, words(...args)).success, line).to.equal(true);
    }
    for (const line of [
      'curl -K options',
      'curl --conf=options',
      'wget -e robots=off',
      'pandoc -L x.lua page.md',
    ]) {
      const [program = '', ...args] = line.split(' ');
      expect(checkProgramOptions(program, words(...args)).success, line).to.equal(false);
    }
  });

  it('never throws, whatever the words', () => {
    const names = fc.constantFrom(
      'ls',
      'sort',
      'find',
      'git',
      'tar',
      'sed',
      'grep',
      'rg',
      'env',
      'xargs',
      'jq',
      'uniq',
    );
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '-',
        '--',
        '---',
        '-o',
        '--o',
        '-C',
        'log',
        'diff',
        's/a/b/',
        '{',
        '-e',
        '-exec',
        'constructor',
        '--constructor',
        '-__proto__',
        '=',
      ),
    );
    fc.assert(
      fc.property(names, fc.array(word, { maxLength: 6 }), (name, args) => {
        checkProgramOptions(name, words(...args));
      }),
      { numRuns: process.env.CASTELLAN_LONG === '1' ? 30_000 : 300 },
    );
  });
});

describe('checkCall', () => {
  it('refuses arguments nobody sees for a program whose options are harmful', () => {
    const unseen = { unseenArguments: true, via: 'xargs' } as const;
    for (const line of [
      'sort',
      'find',
      'find --',
      'git log',
      'git log --',
      'rm',
      'rm --',
      'uniq --',
      'sed --',
      'tee',
    ]) {
      expect(checkCall(call(line, unseen)).success, line).to.equal(false);
    }
    for (const line of ['wc -l', 'grep -l foo', 'cat', 'sort -r --', 'du --', 'jq .a', 'ls -l']) {
      expect(checkCall(call(line, unseen)).success, line).to.equal(true);
    }
  });

  it('knows a program by the last part of its path', () => {
    expect(checkCall(call('/usr/bin/find . -delete')).success).to.equal(false);
  });
});
