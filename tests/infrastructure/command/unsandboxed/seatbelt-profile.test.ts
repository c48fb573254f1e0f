import { expect } from 'chai';
import { describe, it } from 'mocha';
import { seatbeltProfile } from '../../../../src/infrastructure/command/unsandboxed/seatbelt-profile.js';
import { SeatbeltSandbox } from '../../../../src/infrastructure/command/unsandboxed/seatbelt-sandbox.js';
import { GENEROUS } from '../../../support/sandbox-jobs.js';

const JOB = {
  program: { kind: 'argv', file: '/bin/true', args: [] },
  cwd: '/Users/a/work',
  env: {},
  view: {
    read: ['/Users/a/library'],
    write: ['/Users/a/work'],
    hide: ['/Users/a/work/.env'],
    readOnlyInside: ['/Users/a/work/.git/hooks'],
  },
  home: '/Users/a/private',
  network: 'none',
  systemCalls: 'filtered',
  limits: GENEROUS,
} as const;

describe('The Seatbelt profile (as text; nobody has run it on a Mac yet)', () => {
  const rules = seatbeltProfile(JOB, ['/Users/a/.nvm']).split('\n');
  const place = (start: string): number => rules.findIndex((rule) => rule.startsWith(start));

  it('denies by default and gives before it takes away, because the last rule decides', () => {
    expect(rules.slice(0, 2)).to.deep.equal(['(version 1)', '(deny default)']);
    expect(place('(deny file-write* (subpath "/Users/a/work/.git/hooks"))')).to.be.greaterThan(
      place('(allow file-write*'),
    );
    expect(place('(deny file-read* file-write* (subpath "/Users/a/work/.env"))')).to.be.greaterThan(
      place('(deny file-write*'),
    );
  });

  it('writes to the workspace and the private home and nowhere else', () => {
    const writes = rules.filter((rule) => rule.startsWith('(allow file-write*'));
    expect(writes).to.deep.equal([
      '(allow file-write* (subpath "/Users/a/work") (subpath "/Users/a/private"))',
    ]);
  });

  it('reads the system, the toolchains and what the policy names', () => {
    const reads = rules.find((rule) => rule.startsWith('(allow file-read* (subpath'));
    for (const path of ['/usr', '/System', '/Users/a/.nvm', '/Users/a/library', '/Users/a/work'])
      expect(reads).to.include(`(subpath "${path}")`);
  });

  it('has a network only when asked for, and never a unix socket', () => {
    expect(rules).to.include('(deny network*)');
    const open = seatbeltProfile({ ...JOB, network: 'host' }, []);
    expect(open).to.include('(allow network-outbound (remote ip))').and.not.include('unix-socket');
  });

  it('quotes a path so that it cannot end its string', () => {
    const evil = '/Users/a/x") (allow default) ("\\';
    const text = seatbeltProfile({ ...JOB, view: { ...JOB.view, write: [evil] } }, []);
    expect(text).to.include('(subpath "/Users/a/x\\") (allow default) (\\"\\\\")');
  });

  it('is missing off macOS, with the way out', async () => {
    if (process.platform === 'darwin') return;
    const sandbox = new SeatbeltSandbox('/Users/a');
    expect(await sandbox.detect()).to.include({ state: 'missing', kind: 'seatbelt' });
    const result = await sandbox.run(JOB, new AbortController().signal);
    expect(result.success || result.error).to.include({ kind: 'unavailable', reason: 'SANDBOX_UNAVAILABLE' });
  });
});
