import { expect } from 'chai';
import { describe, it } from 'mocha';
import { configurationHome } from '../../../src/infrastructure/state/configuration-home.js';

describe("the folder of the user's own settings", () => {
  const rows: readonly (readonly [string, string | undefined, string])[] = [
    ['the one that XDG_CONFIG_HOME names', '/settings', '/settings'],
    ['.config where it is not set', undefined, '/home/user/.config'],
    ['.config where it is empty', '', '/home/user/.config'],
    ['.config where it is relative', 'settings', '/home/user/.config'],
    ['.config where nothing can be kept', '/proc/self', '/home/user/.config'],
    ['.config where nothing can be kept, spelled otherwise', '/settings/../sys/x', '/home/user/.config'],
  ];
  for (const [what, base, wanted] of rows) {
    it(`is ${what}`, () => {
      expect(configurationHome({ XDG_CONFIG_HOME: base }, '/home/user')).to.equal(wanted);
    });
  }
});
