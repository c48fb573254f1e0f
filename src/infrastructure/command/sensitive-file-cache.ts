import { ProtectedWatch } from './protected-watch.js';
import { findSensitiveFiles, type SensitiveFiles, type SensitiveRules } from './sensitive-files.js';

/** What was found, and a watch over what is not there yet. */
export interface SensitivePicture {
  readonly found: SensitiveFiles;
  readonly watch: ProtectedWatch;
}

interface Kept {
  readonly files: Promise<SensitivePicture>;
  until: number;
}

const FRESH_MS = 2_000;
/** Looking again may take a twentieth of the time. */
const SHARE = 20;

/**
 * Remembers for a while what was found: a large tree takes longer to look through than most commands to run.
 * A secret that appears meanwhile is masked from the next look on.
 */
export class SensitiveFileCache {
  readonly #kept = new WeakMap<object, Map<string, Kept>>();

  constructor(private readonly onProblem: (why: string) => void) {}

  /** `key` stands for the rules: another policy finds other files. */
  find(roots: readonly string[], rules: SensitiveRules, key: object): Promise<SensitivePicture> {
    const byRoots = this.#kept.get(key) ?? new Map<string, Kept>();
    this.#kept.set(key, byRoots);
    const name = roots.join('\0');
    const kept = byRoots.get(name);
    if (kept !== undefined && kept.until > performance.now()) return kept.files;
    const fresh: Kept = { files: this.#look(roots, rules), until: Number.POSITIVE_INFINITY };
    byRoots.set(name, fresh);
    const started = performance.now();
    const settle = (): void => {
      const ended = performance.now();
      fresh.until = ended + FRESH_MS + SHARE * (ended - started);
    };
    fresh.files.then(settle, settle);
    return fresh.files;
  }

  async #look(roots: readonly string[], rules: SensitiveRules): Promise<SensitivePicture> {
    const found = await findSensitiveFiles([...new Set(roots)], rules);
    if (found.incomplete) {
      this.onProblem(
        'The folders that commands see hold too many files to look for every secret. Show commands a smaller folder in the policy.',
      );
    }
    return { found, watch: new ProtectedWatch(found, rules) };
  }
}
