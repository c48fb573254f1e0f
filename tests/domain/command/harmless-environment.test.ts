import { expect } from 'chai';
import { describe, it } from 'mocha';
import { checkEnvironment } from '../../../src/domain/command/harmless-environment.js';
import { words } from '../../support/words.js';

describe('checkEnvironment', () => {
  for (const line of [
    '',
    'ls',
    'ls LD_PRELOAD=x',
    'LANG=C ls',
    'LC_ALL=C TZ=UTC NODE_ENV=test npm',
    '- LANG=C ls',
    '-u HOME ls',
    'TZ=Europe/Berlin ls',
  ]) {
    it(`env ${line} changes no code`, () =>
      expect(checkEnvironment(words(...line.split(' ').filter(Boolean)))).to.equal(undefined));
  }

  for (const [line, name] of [
    ['LD_PRELOAD=x ls', 'LD_PRELOAD'],
    ['LANG=C PATH=. ls', 'PATH'],
    ['- PATH=. ls', 'PATH'],
    ['=x ls', ''],
    ['XLANG=C ls', 'XLANG'],
    ['LANG=/tmp/x ls', 'LANG'],
    ['TZ=:x ls', 'TZ'],
    ['TZ=~x ls', 'TZ'],
    ['TZ=a/../b ls', 'TZ'],
    ['TZ=.. ls', 'TZ'],
  ] as const) {
    it(`env ${line} may`, () => {
      const refused = checkEnvironment(words(...line.split(' ')));
      expect(refused?.error.message).to.equal(`env ${name}=… may change which code runs`);
    });
  }

  it('refuses options of env that hide a program', () =>
    expect(checkEnvironment(words('-S', 'ls'))?.error.message).to.include('splits a string'));
});
