import { expect } from 'chai';
import { describe, it } from 'mocha';
import { load } from '../../../support/policy-bench.js';

async function problemOf(list: string, rule: string): Promise<string> {
  try {
    await load(`tools: { execute_command: { ${list}: [${rule}] } }`);
    return 'loaded';
  } catch (error) {
    return error instanceof Error ? error.message : 'something else';
  }
}

describe('Command rules that can never match', () => {
  for (const list of ['allowed_commands', 'denied_commands']) {
    for (const [rule, form] of [
      ['"git push*"', '{ command: [git, push] }'],
      ['"git *push"', '{ command: [git, push] }'],
      ['"npm run test:*"', '{ command: [npm, run, test:] }'],
      ['"git-*"', '{ command: [git-] }'],
      ['"py?hon"', '{ command: [pyhon] }'],
      ['{ command: ["git push"] }', '{ command: [git, push] }'],
      ['{ command: [git, ["push*", "pull*"]] }', '{ command: [git, [push, pull]] }'],
      ['{ command: [bin/] }', '{ command: [bin] }'],
      ['{ command: [".."] }', '{ command: [..] }'],
      ['{ command: ["-rf"] }', '{ command: [-rf] }'],
    ] as const) {
      it(`are refused in ${list}, with the form that works: ${rule}`, async () => {
        const problem = await problemOf(list, rule);
        expect(problem).to.include('This rule can never match').and.to.include(form);
      });
    }

    it(`are not those that do, in ${list}`, async () => {
      for (const rule of [
        '"*"',
        '"["',
        'git',
        '"git push"',
        './scripts/x',
        '/usr/bin/git',
        'g++',
        '{ command: [git, "*", --force] }',
      ]) {
        expect(await problemOf(list, rule), rule).to.equal('loaded');
      }
    });
  }
});
