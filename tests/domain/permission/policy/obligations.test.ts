import { expect } from 'chai';
import { phraseFor, stricterConsent } from '../../../../src/domain/permission/consent/consent.js';
import { findHostRule } from '../../../../src/domain/permission/policy/host-rules.js';
import {
  type Obligations,
  type SandboxProfile,
  slowerRate,
  stricterObligations,
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
    expect(stricterSandbox(open, undefined)).to.equal(open);
    expect(stricterSandbox(open, open)).to.equal(open);
    expect(stricterSandbox(open, { ...open, seccomp: 'default' })).to.include({
      name: 'open',
      seccomp: 'default',
    });
    expect(stricterSandbox({ ...tight, network: 'full' }, tight)?.network).to.equal('none');
    expect(stricterSandbox(open, { ...open })?.seccomp).to.equal('none');
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
    expect(stricterConsent({ mode: 'ask' }, { mode: 'ask', rememberMs: 5 })).to.deep.equal({ mode: 'ask' });
  });

  it('take of two equal consents the shorter time, the longer phrase, and the position of either', () => {
    const at = { file: 'p', line: 3, column: 1 };
    expect(
      stricterConsent(
        { mode: 'explicit', phrase: 'yes', expiresMs: 9 },
        { mode: 'explicit', phrase: 'delete', expiresMs: 4, at },
      ),
    ).to.deep.equal({ mode: 'explicit', phrase: 'delete', expiresMs: 4, at });
    for (const [one, other] of [
      ['b', 'a'],
      ['a', 'b'],
    ] as const) {
      const both = stricterConsent({ mode: 'explicit', phrase: one }, { mode: 'explicit', phrase: other });
      expect(both.phrase).to.equal('a');
    }
    expect(stricterConsent({ mode: 'explicit' }, { mode: 'explicit', phrase: 'x' }).phrase).to.equal('x');
    expect(stricterConsent({ mode: 'ask', expiresMs: 7 }, { mode: 'ask' }).expiresMs).to.equal(7);
  });
});

const NOTHING: Obligations = {
  limits: {},
  timeoutNamed: false,
  sandbox: undefined,
  sandboxUnavailable: 'none',
  network: 'full',
  env: { pass: [], set: {}, accept: [] },
  consentUnavailable: 'deny',
  auditRequired: false,
  auditArguments: 'full',
  redactResults: false,
};

const AT = { file: 'p', line: 1, column: 1 };
const TOKENS = { per: 'principal', limit: 10, windowMs: 1, onStoreFailure: 'deny' } as const;

/** What two layers say, and what is left of it, whichever of them comes first. */
const MEETINGS: readonly (readonly [
  string,
  Partial<Obligations>,
  Partial<Obligations>,
  Partial<Obligations>,
])[] = [
  ['nothing, where neither says anything', {}, {}, {}],
  [
    'the smaller limit, and one that only either has',
    { limits: { timeoutMs: 5, maxFileBytes: 1 } },
    { limits: { timeoutMs: 3, processes: 2 } },
    { limits: { timeoutMs: 3, maxFileBytes: 1, processes: 2 } },
  ],
  ['a named time only where both name it', { timeoutNamed: true }, {}, { timeoutNamed: false }],
  ['a named time where both name it', { timeoutNamed: true }, { timeoutNamed: true }, { timeoutNamed: true }],
  ['a sandbox where either has one', { sandbox: open }, {}, { sandbox: open }],
  [
    'a refusal where either refuses to do without a sandbox',
    { sandboxUnavailable: 'deny' },
    {},
    { sandboxUnavailable: 'deny' },
  ],
  ['no network where either has none', { network: 'none' }, {}, { network: 'none' }],
  [
    'the position of whoever takes the network away',
    { network: 'none', networkAt: AT },
    { networkAt: { ...AT, line: 2 } },
    { network: 'none', networkAt: AT },
  ],
  ['the audit that either requires', { auditRequired: true }, {}, { auditRequired: true }],
  ['the least of the arguments in the audit', { auditArguments: 'hashed' }, {}, { auditArguments: 'hashed' }],
  ['results redacted where either asks for it', { redactResults: true }, {}, { redactResults: true }],
  [
    'a breaker that opens sooner and stays open longer',
    { breaker: { failures: 3, openForMs: 10 } },
    { breaker: { failures: 5, openForMs: 20 } },
    { breaker: { failures: 3, openForMs: 20 } },
  ],
  [
    'the breaker of either',
    { breaker: { failures: 3, openForMs: 10 } },
    {},
    { breaker: { failures: 3, openForMs: 10 } },
  ],
  ['the tokens of either', { tokens: [TOKENS] }, {}, { tokens: [TOKENS] }],
  ['the tokens of both', { tokens: [TOKENS] }, { tokens: [TOKENS] }, { tokens: [TOKENS, TOKENS] }],
  [
    'only the variables that both let pass',
    { env: { pass: ['A', 'B'], set: {}, accept: ['C', 'D'] } },
    { env: { pass: ['B', 'E'], set: {}, accept: ['D', 'F'] } },
    { env: { pass: ['B'], set: {}, accept: ['D'] } },
  ],
];

describe('stricterObligations', () => {
  for (const [title, first, second, left] of MEETINGS) {
    it(`leaves ${title}`, () => {
      const wanted = { ...NOTHING, ...left };
      const one = { ...NOTHING, ...first };
      const other = { ...NOTHING, ...second };
      expect(stricterObligations(one, other)).to.deep.equal(wanted);
      expect(stricterObligations(other, one)).to.deep.equal(wanted);
    });
  }

  it('lets a ceiling change the value of a variable and add none', () => {
    const own = { ...NOTHING, env: { pass: [], set: { A: '1', B: '2' }, accept: [] } };
    const ceiling = { ...NOTHING, env: { pass: [], set: { B: '3', C: '4' }, accept: [] } };
    expect(stricterObligations(own, ceiling).env.set).to.deep.equal({ A: '1', B: '3' });
  });
});

describe('slowerRate', () => {
  const fast = { per: 'principal', limit: 10, windowMs: 1000 } as const;
  const slow = { per: 'instance', limit: 30, windowMs: 10_000 } as const;

  it('compares calls in a time, not their numbers alone', () => {
    expect(slowerRate(fast, slow)).to.equal(slow);
    expect(slowerRate(slow, fast)).to.equal(slow);
    const same = { ...fast, limit: 20, windowMs: 2000 };
    expect(slowerRate(fast, same)).to.equal(fast);
  });

  it('is the rate of either where the other has none', () => {
    expect(slowerRate(fast, undefined)).to.equal(fast);
    expect(slowerRate(undefined, fast)).to.equal(fast);
    expect(slowerRate(undefined, undefined)).to.equal(undefined);
  });

  it('refuses without a store where either does', () => {
    const denying = { ...fast, onStoreFailure: 'deny' } as const;
    expect(slowerRate(denying, slow)).to.deep.equal({ ...slow, onStoreFailure: 'deny' });
    expect(slowerRate(slow, denying)).to.deep.equal({ ...slow, onStoreFailure: 'deny' });
  });
});

describe('phraseFor', () => {
  it('takes own arguments only', () => {
    expect(phraseFor(`delete \${path} \${count} \${constructor}`, { path: 'a', count: 2 })).to.equal(
      `delete a 2 \${constructor}`,
    );
    expect(phraseFor(`\${sure} \${paths} \${1a}`, { sure: true, paths: ['a'], '1a': 'x' })).to.equal(
      `true \${paths} \${1a}`,
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
