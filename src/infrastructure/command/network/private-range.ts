import { BlockList, isIP } from 'node:net';

export interface AddressRange {
  readonly address: string;
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** Addresses that names may only have where the policy names their range. */
const PRIVATE: readonly AddressRange[] = [
  { address: '10.0.0.0', bits: 8, family: 'ipv4' },
  { address: '172.16.0.0', bits: 12, family: 'ipv4' },
  { address: '192.168.0.0', bits: 16, family: 'ipv4' },
  { address: '100.64.0.0', bits: 10, family: 'ipv4' },
  { address: 'fc00::', bits: 7, family: 'ipv6' },
];

/** Reads `10.1.0.0/16` or a single address. Returns undefined if it is not wholly private. */
export function parsePrivateRange(written: string): AddressRange | undefined {
  const [address = '', bits, ...more] = written.split('/');
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
  if (isIP(address) === 0 || address.includes('%') || more.length > 0) return undefined;
  const longest = family === 'ipv4' ? 32 : 128;
  if (bits !== undefined && !/^\d{1,3}$/.test(bits)) return undefined;
  const range = { address, bits: bits === undefined ? longest : Number(bits), family } as const;
  if (range.bits > longest) return undefined;
  const isPrivate = PRIVATE.some(
    (one) => one.family === family && range.bits >= one.bits && listOf([one]).check(address, family),
  );
  return isPrivate ? range : undefined;
}

export function listOf(ranges: readonly AddressRange[]): BlockList {
  const list = new BlockList();
  for (const { address, bits, family } of ranges) list.addSubnet(address, bits, family);
  return list;
}
