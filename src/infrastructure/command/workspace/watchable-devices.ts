import { type Stats, statfsSync } from 'node:fs';

/** File systems whose every change passes through this kernel: ext, xfs, btrfs, tmpfs, overlay, zfs, f2fs, bcachefs, ramfs. */
const WATCHABLE = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0x2fc12fc1, 0xf2f52010, 0xca451a4e, 0x858458f6,
]);

/** Knows on which devices the kernel tells of all changes; on others, such as a network's, somebody else makes some. */
export class WatchableDevices {
  readonly #known = new Map<number, boolean>();

  has({ dev }: Pick<Stats, 'dev'>, path: string): boolean {
    const known = this.#known.get(dev);
    if (known !== undefined) return known;
    const isWatchable = typeIsKnown(path);
    this.#known.set(dev, isWatchable);
    return isWatchable;
  }
}

function typeIsKnown(path: string): boolean {
  try {
    return WATCHABLE.has(statfsSync(path).type);
  } catch {
    // Gone already. Comparing change times is always right.
    return false;
  }
}
