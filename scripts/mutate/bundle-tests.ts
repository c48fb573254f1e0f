/**
 * Each test file with all of our sources in one function: a process can run it anew for every mutant, so that no cache
 * and no table remembers what the code before the mutant made of it, and is compiled only once.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
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

/** An import of a package or of Node itself, as esbuild writes it; packages are loaded once. */
const IMPORT = /^import (?:[^;'"]* from )?"[^"./][^"]*";$/gm;

/** Everything but the imports becomes the default export, to be called as often as one likes. */
function asFunction(text: string): string {
  const imports = text.match(IMPORT) ?? [];
  return `${imports.join('\n')}\nexport default async function () {\n${text.replace(IMPORT, '')}\n}\n`;
}

/** `files` are relative to `folder`; the bundles keep their names below `target`, with the ending mjs. */
export async function bundleTests(folder: string, files: readonly string[], target: string): Promise<void> {
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: [...files],
    outdir: target,
    outbase: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    write: false,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    plugins: [keepPlaces],
  });
  for (const { path, text } of outputFiles) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, asFunction(text));
  }
}
