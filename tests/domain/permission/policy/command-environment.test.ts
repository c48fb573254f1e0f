import { expect } from 'chai';
import { describe, it } from 'mocha';
import { SYSTEM_PATH } from '../../../../src/domain/permission/path/system-folders.js';
import {
  commandEnvironment,
  searchPathOf,
} from '../../../../src/domain/permission/policy/command-environment.js';

const SERVER = { PATH: '/server/bin', HOME: '/home/u', SECRET: 'x', EMPTY: undefined };

describe('The environment of a command', () => {
  it('has what is passed on, then what the policy sets, then what the caller may set', () => {
    const rules = { pass: ['HOME', 'EMPTY', 'MODE'], set: { MODE: 'p', LANG: 'C' }, accept: ['LANG', 'TZ'] };
    const caller = { LANG: 'de', HOME: '/evil', PATH: '/evil' };
    expect(commandEnvironment(rules, { ...SERVER, MODE: 's' }, caller)).to.deep.equal({
      HOME: '/home/u',
      MODE: 'p',
      LANG: 'de',
      PATH: SYSTEM_PATH,
    });
  });

  it("never takes the caller's word on where programs are, nor what it inherits", () => {
    const rules = { pass: [], set: {}, accept: ['PATH', 'toString'] };
    expect(commandEnvironment(rules, SERVER, { PATH: '/evil' })).to.deep.equal({ PATH: SYSTEM_PATH });
  });

  it('has any variable of the caller if every program may run, but none that the shell follows', () => {
    const rules = { pass: [], set: {}, accept: ['LD_DEBUG'] };
    const caller = {
      PYTHONPATH: 'src',
      NODE_ENV: 'test',
      LD_DEBUG: 'libs',
      LD_PRELOAD: 'x',
      HOME: '/x',
      'a b': 'c',
    };
    expect(commandEnvironment(rules, SERVER, caller, true)).to.deep.equal({
      PYTHONPATH: 'src',
      NODE_ENV: 'test',
      LD_DEBUG: 'libs',
      PATH: SYSTEM_PATH,
    });
  });

  it('looks for programs where the policy says, else where the server does if that is passed on', () => {
    expect(searchPathOf({ pass: ['PATH'], set: { PATH: '/p' }, accept: [] }, SERVER)).to.equal('/p');
    expect(searchPathOf({ pass: ['PATH'], set: {}, accept: [] }, SERVER)).to.equal('/server/bin');
    expect(searchPathOf({ pass: [], set: {}, accept: [] }, SERVER)).to.equal(SYSTEM_PATH);
    expect(searchPathOf({ pass: ['PATH'], set: {}, accept: [] }, {})).to.equal(SYSTEM_PATH);
  });
});
