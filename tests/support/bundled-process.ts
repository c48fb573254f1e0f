import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

/** A script of this folder as one file that Node starts by itself: loading it through tsx takes ten times as long. */
export class BundledProcess {
  private constructor(
    readonly file: string,
    private readonly folder: string,
  ) {}

  static async of(script: string): Promise<BundledProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'castellan-bundle-'));
    const file = join(folder, 'process.mjs');
    await build({
      entryPoints: [join(import.meta.dirname, script)],
      absWorkingDir: resolve(import.meta.dirname, '../..'),
      outfile: file,
      bundle: true,
      platform: 'node',
      target: 'node20.19',
      format: 'esm',
      keepNames: true,
      // Native code cannot be bundled.
      external: ['@ast-grep/*'],
      logLevel: 'error',
      banner: {
        js: "import { createRequire as __make } from 'node:module'; const require = __make(import.meta.url);",
      },
    });
    return new BundledProcess(file, folder);
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
