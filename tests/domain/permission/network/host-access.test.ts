import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  HostAccess,
  type HostTerms,
  reachInWords,
} from '../../../../src/domain/permission/network/host-access.js';
import { hostTerms } from '../../../support/host-network.js';

const access = (...terms: readonly HostTerms[]): HostAccess => new HostAccess(terms);
const allows = (terms: HostTerms, host: string, port = 443): boolean =>
  access(terms).judge(host, port).allowed;

/** rules, host, port, whether it is reached */
const ROWS: readonly [rules: readonly string[], host: string, port: number, reached: boolean][] = [
  [['a.example'], 'a.example', 443, true],
  [['a.example'], 'a.example', 80, true],
  [['a.example'], 'a.example', 22, false],
  [['a.example'], 'a.example', 8443, false],
  [['a.example:22'], 'a.example', 22, true],
  [['a.example:22'], 'a.example', 443, false],
  [['A.Example'], 'a.example', 443, true],
  [['a.example'], 'x.a.example', 443, false],
  [['a.example'], 'xa.example', 443, false],
  [['*.a.example'], 'x.y.a.example', 443, true],
  [['*.a.example'], 'a.example', 443, false],
  [['*.a.example'], 'xa.example', 443, false],
  [['*.a.example:8443'], 'x.a.example', 8443, true],
  [['*'], 'any.example', 443, true],
  [['*'], '1.2.3.4', 443, false],
  [['*.4'], '1.2.3.4', 443, false],
  [['1.2.3.4'], '1.2.3.4', 443, true],
  [['2606:4700::1'], '2606:4700::1', 443, true],
  [['*'], '2606:4700::1', 443, false],
  [[], 'a.example', 443, false],
];

describe('HostAccess', () => {
  for (const [patterns, host, port, reached] of ROWS)
    it(`[${patterns}] ${reached ? 'reaches' : 'does not reach'} ${host}:${port}`, () => {
      expect(allows(hostTerms(patterns), host, port)).to.equal(reached);
    });

  it('lets a deny win at every port, unless it names one', () => {
    const terms = hostTerms(['*.a.example', 'b.example'], { denied: ['x.a.example', 'b.example:80'] });
    expect(access(terms).judge('x.a.example', 443)).to.include({ allowed: false, why: 'denied' });
    expect(allows(terms, 'y.a.example')).to.equal(true);
    expect([allows(terms, 'b.example', 80), allows(terms, 'b.example', 443)]).to.deep.equal([false, true]);
  });

  it('reaches only what every file allows; one that says full binds by its denies alone', () => {
    const own = hostTerms(['a.example', 'b.example'], { loopback: [5432, 6379], addresses: ['10.0.0.0/8'] });
    const ceiling = hostTerms(['b.example', 'c.example'], { loopback: [6379] });
    const open = { ...hostTerms([], { denied: ['b.example'] }), open: true };
    const reached = (one: HostAccess) =>
      ['a', 'b', 'c'].filter((name) => one.judge(`${name}.example`, 443).allowed);
    expect(reached(access(own, ceiling))).to.deep.equal(['b']);
    expect(reached(access(own, open))).to.deep.equal(['a']);
    expect(access(own, ceiling).loopback).to.deep.equal([6379]);
    expect(access(own, open).loopback).to.deep.equal([5432, 6379]);
    expect(access(own, ceiling).addresses).to.deep.equal([['10.0.0.0/8'], []]);
  });

  it('answers names of which any port is listed, and no others', () => {
    const one = access(hostTerms(['a.example:8443', '*.b.example:9000']));
    expect([one.reaches('a.example'), one.reaches('x.b.example'), one.reaches('c.example')]).to.deep.equal([
      true,
      true,
      false,
    ]);
    expect(one.ports).to.deep.equal([{ host: 'a.example', port: 8443 }]);
  });

  it('knows when one line of the policy would help', () => {
    const own = hostTerms(['a.example'], { denied: ['d.example'] });
    const ceiling = hostTerms(['a.example', 'b.example', 'd.example']);
    const one = access(own, ceiling);
    const hosts = ['a.example', 'b.example', 'c.example', 'd.example'];
    expect(hosts.filter((host) => one.isMissing(host, 443))).to.deep.equal(['b.example']);
  });

  it('has the same key for the same grant, wherever its rules stand', () => {
    expect(access(hostTerms(['a'])).key).to.equal(access(hostTerms(['a']), hostTerms(['a'])).key);
    expect(access(hostTerms(['a'])).key).not.to.equal(access(hostTerms(['a'], { loopback: [1] })).key);
  });

  it('is told in the words of the policy', () => {
    const terms = hostTerms(['a.example', '*.b.example:9000'], { loopback: [5432], denied: ['x.b.example'] });
    expect(reachInWords('hosts', [terms])).to.equal(
      'hosts (a.example, *.b.example:9000, localhost:5432; never x.b.example)',
    );
    expect(reachInWords('none', [terms])).to.equal('none');
  });

  it('never reaches more under a further file', () => {
    const label = fc.constantFrom('a', 'b', 'c');
    const pattern = fc.oneof(
      label,
      label.map((one) => `*.${one}`),
      label.map((one) => `${one}:22`),
      fc.constant('*'),
    );
    const lists = fc.record({ allowed: fc.array(pattern), denied: fc.array(pattern), open: fc.boolean() });
    const terms = lists.map(({ allowed, denied, open }) => hostTerms(allowed, { denied, open }));
    const host = fc.oneof(
      label,
      fc.tuple(label, label).map((parts) => parts.join('.')),
    );
    fc.assert(
      fc.property(terms, terms, host, fc.constantFrom(22, 80, 443, 9000), (one, other, name, port) => {
        const both = access(one, other).judge(name, port).allowed;
        expect(both).to.equal(
          access(one).judge(name, port).allowed && access(other).judge(name, port).allowed,
        );
      }),
    );
  });
});
