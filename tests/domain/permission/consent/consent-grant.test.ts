import { expect } from 'chai';
import {
  ConsentGrant,
  type ConsentSubject,
} from '../../../../src/domain/permission/consent/consent-grant.js';

const SUBJECT: ConsentSubject = {
  callerId: 'local',
  sessionId: 's-1',
  tool: 'delete_path',
  argumentDigest: 'aa',
  policyHash: 'p1',
};

describe('ConsentGrant', () => {
  const grant = () => new ConsentGrant(SUBJECT, 'elicitation', 1000);

  it('is used once: a replay is refused', () => {
    const once = grant();
    expect(once.consume(SUBJECT, 10)).to.equal('granted');
    expect(once.consume(SUBJECT, 10)).to.equal('used');
  });

  it('runs once when 1,000 calls use it at the same time', async () => {
    const once = grant();
    const uses = Array.from({ length: 1000 }, async () => {
      await Promise.resolve();
      return once.consume({ ...SUBJECT }, 10);
    });
    const granted = (await Promise.all(uses)).filter((use) => use === 'granted');
    expect(granted).to.have.length(1);
  });

  for (const [what, change] of Object.entries({
    arguments: { argumentDigest: 'ab' },
    tool: { tool: 'write_file' },
    caller: { callerId: 'other' },
    session: { sessionId: 's-2' },
  })) {
    it(`is refused for another ${what}, and is not used up by the attempt`, () => {
      const once = grant();
      expect(once.consume({ ...SUBJECT, ...change }, 10)).to.equal('other-call');
      expect(once.consume(SUBJECT, 10)).to.equal('granted');
    });
  }

  it('ends when the policy changes', () => {
    expect(grant().consume({ ...SUBJECT, policyHash: 'p2' }, 10)).to.equal('other-policy');
  });

  it('ends at its expiry', () => {
    expect(grant().consume(SUBJECT, 999)).to.equal('granted');
    expect(grant().consume(SUBJECT, 1000)).to.equal('expired');
  });

  it('keeps members apart that would be the same when joined', () => {
    const once = new ConsentGrant({ ...SUBJECT, callerId: 'a","b', sessionId: 'c' }, 'phrase', 1000);
    expect(once.consume({ ...SUBJECT, callerId: 'a', sessionId: 'b","c' }, 10)).to.equal('other-call');
  });
});
