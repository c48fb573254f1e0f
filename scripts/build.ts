/**
 * dist/main.js       the command: a small loader
 * dist/command/      what it loads: one bundle with V8's code cache for the start, chunks for the rest
 * dist/lib/          the library as ES modules, packages outside, so that a host shares its inversify with us
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { warmCodeCache } from './warm-code-cache.js';

const root = resolve(import.meta.dirname, '..');
const dist = join(root, 'dist');
const chunks = new Map<string, string>();

const common: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  legalComments: 'none',
  // import() becomes a lazy require(): no module loader has to wake up for it.
  supported: { 'dynamic-import': false },
  logLevel: 'warning',
};

/** The SDK makes its own schema checker unless it is given one, and we always give it one. */
const leaveOutAjv: Plugin = {
  name: 'leave-out-ajv',
  setup({ onLoad }) {
    onLoad({ filter: /validation[/\\]ajv-provider\.js$/ }, () => ({
      contents: 'export class AjvJsonSchemaValidator {}',
    }));
  },
};

/** Packages with native code cannot be bundled; they are dependencies of the package. */
const NATIVE = ['@ast-grep/*'];

/** yaml looks into the environment for a debugging switch at every token, which is a third of the time it takes. */
const quietYaml: Plugin = {
  name: 'quiet-yaml',
  setup({ onLoad }) {
    onLoad({ filter: /yaml[/\\]dist[/\\](parse[/\\]parser|compose[/\\]composer)\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(/node_process\.env\.LOG_\w+/g, 'false'),
    }));
  },
};

/** What is imported dynamically is not part of the start: it becomes a chunk of its own. */
const lazyChunks: Plugin = {
  name: 'lazy-chunks',
  setup({ onResolve, resolve: find }) {
    onResolve({ filter: /.*/ }, async ({ path, kind, resolveDir, pluginData }) => {
      if (kind !== 'dynamic-import' || pluginData === 'found') return undefined;
      const found = await find(path, { kind, resolveDir, pluginData: 'found' });
      if (found.external || found.errors.length > 0) return found;
      const name = chunkName(path);
      chunks.set(name, found.path);
      return { path: `./chunks/${name}.js`, external: true };
    });
  },
};

function chunkName(path: string): string {
  return path
    .replace(/^\.+\//, '')
    .replace(/\.js$/, '')
    .replaceAll(/[^a-zA-Z0-9]+/g, '-');
}

function run(command: string, ...args: string[]): void {
  execFileSync(command, args, { cwd: root, stdio: 'inherit' });
}

rmSync(dist, { recursive: true, force: true });
mkdirSync(join(dist, 'command'), { recursive: true });
writeFileSync(join(dist, 'package.json'), '{ "type": "commonjs" }\n');
mkdirSync(join(dist, 'lib'), { recursive: true });
writeFileSync(join(dist, 'lib', 'package.json'), '{ "type": "module" }\n');

await build({
  ...common,
  entryPoints: {
    index: 'src/index.ts',
    testing: 'src/testing/testing.ts',
    openfeature: 'src/openfeature/openfeature.ts',
  },
  outdir: join(dist, 'lib'),
  format: 'esm',
  splitting: true,
  packages: 'external',
  // For the messages a host reads. In the command it would cost a third of a call: every inner function is named anew.
  keepNames: true,
  supported: {},
});
await build({
  ...common,
  entryPoints: ['src/main.ts'],
  outfile: join(dist, 'command', 'castellan.js'),
  format: 'cjs',
  plugins: [leaveOutAjv, lazyChunks],
  external: NATIVE,
});
// Each chunk stands alone: what it shares with the start is small and has no identity of its own.
await build({
  ...common,
  entryPoints: Object.fromEntries(chunks),
  outdir: join(dist, 'command', 'chunks'),
  format: 'cjs',
  external: NATIVE,
  plugins: [quietYaml],
  // Packages that look for their own files ask where they are.
  define: { 'import.meta.url': 'chunkUrl' },
  banner: { js: "const chunkUrl = require('node:url').pathToFileURL(__filename).href;" },
});
const runner = readFileSync(join(root, 'scripts', 'run-bundle.cjs'), 'utf8');
writeFileSync(
  join(dist, 'main.js'),
  `#!/usr/bin/env node\n${runner}\nload(join(__dirname, 'command', 'castellan.js'));\n`,
  { mode: 0o755 },
);
warmCodeCache(runner, join(dist, 'command', 'castellan.js'));
if (!process.argv.includes('--no-types')) {
  run(process.execPath, join('node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.types.json');
}
process.stderr.write(`built ${basename(root)}: command with ${chunks.size} lazy chunks, library, types\n`);
