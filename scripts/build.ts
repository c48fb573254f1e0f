/**
 * dist/main.js       the command: a small loader
 * dist/command/      what it loads: one bundle with V8's code cache for the start, chunks for the rest
 * dist/lib/          the library as ES modules, packages outside, so that a host shares its inversify with us
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { bundleCommand } from './bundle-command.js';
import { warmCodeCache } from './warm-code-cache.js';

const root = resolve(import.meta.dirname, '..');
const dist = join(root, 'dist');

/** Begins with the bundling and is waited for after it: the two need nothing of each other. */
async function declareTypes(): Promise<void> {
  const args = [join('node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.types.json'];
  const [code] = await once(spawn(process.execPath, args, { cwd: root, stdio: 'inherit' }), 'exit');
  if (code !== 0) throw new Error('The types of the library cannot be made.');
}

rmSync(dist, { recursive: true, force: true });
mkdirSync(join(dist, 'command'), { recursive: true });
writeFileSync(join(dist, 'package.json'), '{ "type": "commonjs" }\n');
mkdirSync(join(dist, 'lib'), { recursive: true });
writeFileSync(join(dist, 'lib', 'package.json'), '{ "type": "module" }\n');

const types = process.argv.includes('--no-types') ? undefined : declareTypes();
await build({
  absWorkingDir: root,
  entryPoints: {
    index: 'src/index.ts',
    testing: 'src/testing/testing.ts',
    openfeature: 'src/openfeature/openfeature.ts',
  },
  outdir: join(dist, 'lib'),
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  splitting: true,
  packages: 'external',
  legalComments: 'none',
  // For the messages a host reads. In the command it would cost a third of a call: every inner function is named anew.
  keepNames: true,
  logLevel: 'warning',
});
const chunks = await bundleCommand(root, join(dist, 'command'));
const runner = readFileSync(join(root, 'scripts', 'run-bundle.cjs'), 'utf8');
writeFileSync(
  join(dist, 'main.js'),
  `#!/usr/bin/env node\n${runner}\nload(join(__dirname, 'command', 'castellan.js'));\n`,
  { mode: 0o755 },
);
warmCodeCache(runner, join(dist, 'command', 'castellan.js'));
await types;
process.stderr.write(
  `built ${basename(root)}: command with ${chunks.length} lazy chunks, library${types === undefined ? '' : ', types'}\n`,
);
