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
      { numRuns: 3000 },
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
