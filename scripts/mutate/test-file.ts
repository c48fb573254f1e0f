/** One bundled test file: made anew for every run, and run as far as its first failure. */
import { pathToFileURL } from 'node:url';
import Mocha from 'mocha';

const TIMEOUT_MS = 15_000;

/** The failure that stands for a file that does not even load. */
export const LOADING = '(loading)';

class Quiet extends Mocha.reporters.Base {
  override epilogue(): void {}
}

/** Tests by title: mocha asks `grep` of each. A suite without a wanted test does not run its hooks either. */
class Wanted extends RegExp {
  readonly #titles: ReadonlySet<string>;

  constructor(titles: ReadonlySet<string>) {
    super('');
    this.#titles = titles;
  }

  override test(title: string): boolean {
    return this.#titles.has(title);
  }
}

export interface Listener {
  loaded?(): void;
  started?(): void;
  ended?(test: Mocha.Test): void;
}

/** The titles of what failed. Without `wanted` all tests run, whatever fails. */
export async function runTestFile(
  file: string,
  wanted: ReadonlySet<string> | undefined,
  listener: Listener = {},
): Promise<readonly string[]> {
  const mocha = new Mocha({ timeout: TIMEOUT_MS, reporter: Quiet, ui: 'bdd', bail: wanted !== undefined });
  if (wanted !== undefined) mocha.grep(new Wanted(wanted));
  mocha.suite.emit('pre-require', globalThis, file, mocha);
  try {
    const bundle: { default(): Promise<void> } = await import(pathToFileURL(file).href);
    await bundle.default();
  } catch {
    return [LOADING];
  }
  listener.loaded?.();
  return new Promise((done) => {
    const failing: string[] = [];
    const runner = mocha.run(() => {
      runner.dispose();
      done(failing);
    });
    runner.on('fail', (test: Mocha.Test) => failing.push(test.fullTitle()));
    runner.on('test', () => listener.started?.());
    runner.on('test end', (test: Mocha.Test) => listener.ended?.(test));
  });
}
