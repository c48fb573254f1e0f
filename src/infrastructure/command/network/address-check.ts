import { type BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { type AddressRange, listOf, parsePrivateRange } from './private-range.js';

const v4 = (address: string, bits: number): AddressRange => ({ address, bits, family: 'ipv4' });
const v6 = (address: string, bits: number): AddressRange => ({ address, bits, family: 'ipv6' });

/** What the registries of special addresses keep from the internet, and the address at which one cloud serves its secrets. */
const SPECIAL = listOf([
  ...[v4('0.0.0.0', 8), v4('10.0.0.0', 8), v4('100.64.0.0', 10), v4('127.0.0.0', 8), v4('169.254.0.0', 16)],
  ...[v4('172.16.0.0', 12), v4('192.0.0.0', 24), v4('192.0.2.0', 24), v4('192.31.196.0', 24)],
  ...[v4('192.52.193.0', 24), v4('192.88.99.0', 24), v4('192.168.0.0', 16), v4('192.175.48.0', 24)],
  ...[v4('198.18.0.0', 15), v4('198.51.100.0', 24), v4('203.0.113.0', 24), v4('224.0.0.0', 3)],
  ...[v4('168.63.129.16', 32)],
  ...[v6('2001::', 23), v6('2001:db8::', 32), v6('2002::', 16), v6('2620:4f:8000::', 48), v6('3fff::', 20)],
]);
/** The only part of IPv6 that leads to the internet. */
const GLOBAL = listOf([v6('2000::', 3)]);

/** Decides whether a connection may be made to an address that a name was found to have. */
export class AddressCheck {
  readonly #listed: readonly BlockList[];

  /** `lists`: of each policy file its private ranges; an address has to lie in one of every file. */
  constructor(
    lists: readonly (readonly string[])[],
    private readonly own: () => ReadonlySet<string> = ownAddresses,
  ) {
    this.#listed = lists.map((ranges) => listOf(ranges.flatMap((range) => parsePrivateRange(range) ?? [])));
  }

  /** Returns why the address is refused, or undefined. */
  problem(address: string): string | undefined {
    const version = isIP(address);
    // Those of IPv6 that begin with zeros stand for others, of IPv4 among them.
    if (version === 0 || address.includes('%') || address.startsWith('::')) return 'it is no plain address';
    const family = version === 4 ? 'ipv4' : 'ipv6';
    if (this.own().has(address)) return 'it is an address of this machine';
    const isPublic = !SPECIAL.check(address, family) && (family === 'ipv4' || GLOBAL.check(address, family));
    if (isPublic) return undefined;
    const isListed = this.#listed.length > 0 && this.#listed.every((list) => list.check(address, family));
    return isListed ? undefined : 'it is no public address, and allowed_addresses does not have it';
  }
}

function ownAddresses(): ReadonlySet<string> {
  return new Set(
    Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address)),
  );
}
