/** Small, and the same everywhere (mulberry32): what failed can be made again from its seed. */
export class Dice {
  constructor(private state: number) {}

  below(limit: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  pick<T>(from: readonly T[]): T {
    const picked = from[this.below(from.length)];
    if (picked === undefined) throw new Error('Nothing to pick from.');
    return picked;
  }
}
