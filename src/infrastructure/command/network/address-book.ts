const MOST_NAMES = 4096;
const FIRST = (127 << 24) | (64 << 16);

/** Gives each name an address of its own on the loopback of a session, as long as the session lasts. */
export class AddressBook {
  readonly #addresses = new Map<string, string>();
  readonly #names = new Map<string, string>();

  /** Returns undefined if there are too many names already. */
  addressOf(name: string): string | undefined {
    const known = this.#addresses.get(name);
    if (known !== undefined) return known;
    if (this.#addresses.size >= MOST_NAMES) return undefined;
    const number = FIRST + this.#addresses.size + 1;
    const address = [24, 16, 8, 0].map((shift) => (number >>> shift) & 0xff).join('.');
    this.#addresses.set(name, address);
    this.#names.set(address, name);
    return address;
  }

  nameOf(address: string | undefined): string | undefined {
    return address === undefined ? undefined : this.#names.get(address);
  }
}
