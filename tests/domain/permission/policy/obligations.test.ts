import { expect } from 'chai';
import { phraseFor, stricterConsent } from '../../../../src/domain/permission/consent/consent.js';
import { findHostRule } from '../../../../src/domain/permission/policy/host-rules.js';
import {
  type SandboxProfile,
  stricterSandbox,
} from '../../../../src/domain/permission/policy/obligations.js';

const open: SandboxProfile = {
  name: 'open',
  read: ['/w', '/data'],
  write: ['/w'],
  hide: ['**/a'],
  network: 'full',
  seccomp: 'none',
};

describe('obligations that meet', () => {
  it('leave of two sandboxes what both show', () => {
    const tight: SandboxProfile = {
      ...open,
      name: 'tight',
      read: ['/w'],
      write: ['/w/out'],
      hide: ['**/b'],
      network: 'none',
      seccomp: 'default',
    };
    expect(stricterSandbox(open, tight)).to.deep.equal({
      name: 'open+tight',
      read: ['/w', '/w/out'],
      write: ['/w/out'],
      hide: ['**/a', '**/b'],
      network: 'none',
      seccomp: 'default',
    });
    expect(stricterSandbox(undefined, open)).to.equal(open);
  });

  it('take the stricter consent, and forget when either forgets', () => {
    expect(stricterConsent({ mode: 'ask' }, { mode: 'explicit', phrase: 'x' })).to.deep.equal({
      mode: 'explicit',
      phrase: 'x',
    });
    expect(stricterConsent({ mode: 'ask', rememberMs: 5 }, { mode: 'ask', rememberMs: 3 })).to.deep.equal({
      mode: 'ask',
      rememberMs: 3,
    });
    expect(stricterConsent({ mode: 'ask', rememberMs: 5 }, { mode: 'ask' })).to.deep.equal({ mode: 'ask' });
  });
});

describe('phraseFor', () => {
  it('takes own arguments only', () => {
    expect(phraseFor(`delete \${path} \${count} \${constructor}`, { path: 'a', count: 2 })).to.equal(
      `delete a 2 \${constructor}`,
    );
  });
});

describe('findHostRule', () => {
  const rows: readonly [string, string, number | undefined, boolean][] = [
    ['api.example.com', 'API.example.com.', undefined, true],
    ['*.example.com', 'a.b.example.com', undefined, true],
    ['*.example.com', 'example.com', undefined, false],
    ['*.example.com', 'evil-example.com', undefined, false],
    ['api.example.com:443', 'api.example.com', 443, true],
    ['api.example.com:443', 'api.example.com', 80, false],
    ['*', 'anything', 1, true],
  ];
  for (const [pattern, host, port, wanted] of rows) {
    it(`${pattern} ${wanted ? 'matches' : 'does not match'} ${host} ${port ?? ''}`, () => {
      const rule = { pattern, at: { file: 'p', line: 1, column: 1 } };
      expect(findHostRule([rule], host, port) !== undefined).to.equal(wanted);
    });
  }
});
