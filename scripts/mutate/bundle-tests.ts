/**
 * Each test file with all of our sources in one module: a process can load it anew for every mutant, so that no cache
 * and no table remembers what the code before the mutant made of it.
 */
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

/** Where a source file lies is not where its bundle does. */
const keepPlaces: Plugin = {
  name: 'keep-places',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      return {
        loader: 'ts',
        contents: text
          .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
      };
    });
  },
};

/** `files` are relative to `folder`; the bundles keep their names below `target`, with the ending mjs. */
export async function bundleTests(folder: string, files: readonly string[], target: string): Promise<void> {
  await build({
    absWorkingDir: folder,
    entryPoints: [...files],
    outdir: target,
    outbase: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    plugins: [keepPlaces],
  });
}
