import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { codeOf } from './file-steps.js';

const MOST = 200;

/** Texts of settings as they were at the last sync, by their values: what changed since is told key by key. */
export class KeptTexts {
  constructor(private readonly folder: string) {}

  read(value: string): Buffer | undefined {
    try {
      return readFileSync(`${this.folder}/${value}`);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Answers the value. */
  keep(value: string, text: Uint8Array): string {
    mkdirSync(this.folder, { recursive: true });
    writeFileSync(`${this.folder}/${value}.new`, text);
    renameSync(`${this.folder}/${value}.new`, `${this.folder}/${value}`);
    this.#forgetOldest();
    return value;
  }

  #forgetOldest(): void {
    const names = readdirSync(this.folder);
    if (names.length <= MOST) return;
    const ages = names.map((name) => [statSync(`${this.folder}/${name}`).mtimeMs, name] as const);
    ages.sort(([one], [other]) => one - other);
    for (const [, name] of ages.slice(0, names.length - MOST))
      rmSync(`${this.folder}/${name}`, { force: true });
  }
}
