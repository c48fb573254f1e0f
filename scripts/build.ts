/**
 * dist/main.js       the command: a small loader
 * dist/command/      what it loads: one bundle with V8's code cache for the start, chunks for the rest
 * dist/lib/          the library as ES modules, our dependencies outside, so that a host shares its inversify with us
 * dist/NOTICES.txt   the licences of packages that are bundled instead of being dependencies
 *
 * All of it is made beside dist/ and put in its place at the end, so that servers which run from there go on.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { build, type Metafile } from 'esbuild';
import about from '../package.json' with { type: 'json' };
import { bundleCommand, bundleProgram } from './bundle-command.js';
import { shortPackages } from './bundle-plugins.js';
import { noticesOf } from './notices.js';
import { plainDecorators } from './plain-decorators.js';
import { replaceFolder } from './replace-folder.js';
import { warmCodeCache } from './warm-code-cache.js';

const root = resolve(import.meta.dirname, '..');
const dist = join(root, 'dist');
const TYPES = join('lib', 'types');
const HOOK_CLIENT = 'src/hook-client.ts';
const CARRIER = 'src/infrastructure/command/git/carrier/carrier-program.ts';
const CALCULATION_WORKER = 'src/infrastructure/calculation/calculation-worker.ts';

/**
 * Outside the library is what npm installs with us. Other packages are in it: the Anthropic SDK would be 26 MB of
 * an installation for the 0.3 that are used.
 */
function dependencies(): readonly string[] {
  const { dependencies, optionalDependencies, peerDependencies } = about;
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
}

async function buildLibrary(outdir: string): Promise<Metafile> {
  writeFileSync(join(outdir, 'package.json'), '{ "type": "module" }\n');
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: {
      index: 'src/index.ts',
      ports: 'src/ports.ts',
      testing: 'src/testing/testing.ts',
      openfeature: 'src/openfeature/openfeature.ts',
      // Runs in a process of its own.
      'calculation-worker': CALCULATION_WORKER,
      'carrier-program': CARRIER,
    },
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    splitting: true,
    external: [...dependencies()],
    metafile: true,
    legalComments: 'none',
    // A third of the package would be blanks and long names; keepNames leaves those that stacks show.
    minify: true,
    // Node shows the line of an error that nobody caught.
    lineLimit: 200,
    // For the messages a host reads. In the command it would cost a third of a call: every inner function is named anew.
    keepNames: true,
    plugins: [plainDecorators, shortPackages],
    logLevel: 'warning',
  });
  return metafile;
}

/** A client waits for its hook before each call: a program without the rest of us asks the server that runs. */
const STARTS = `const start = () => load(join(__dirname, 'command', 'castellan.js'));
if (process.argv[2] === 'hook' && process.argv.length === 4)
  require('./command/hook-client.js').run(process.argv[3], start);
else start();
`;

/** Answers with how many chunks the command has. */
async function buildCommand(folder: string): Promise<number> {
  const outdir = join(folder, 'command');
  mkdirSync(outdir);
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
  const chunks = await bundleCommand(root, outdir);
  await bundleProgram(root, CALCULATION_WORKER, join(outdir, 'calculation-worker.js'));
  await bundleProgram(root, CARRIER, join(outdir, 'carrier-program.js'));
  await bundleProgram(root, HOOK_CLIENT, join(outdir, 'hook-client.js'));
  const runner = readFileSync(join(root, 'scripts', 'run-bundle.cjs'), 'utf8');
  writeFileSync(join(folder, 'main.js'), `#!/usr/bin/env node\n${runner}\n${STARTS}`, { mode: 0o755 });
  warmCodeCache(runner, join(outdir, 'castellan.js'));
  return chunks.length;
}

/** Begins with the bundling and is waited for after it: the two need nothing of each other. */
async function declareTypes(outdir: string): Promise<void> {
  const compiler = join('node_modules', 'typescript', 'bin', 'tsc');
  const args = [compiler, '-p', 'tsconfig.types.json', '--outDir', outdir];
  const [code] = await once(spawn(process.execPath, args, { cwd: root, stdio: 'inherit' }), 'exit');
  if (code !== 0) throw new Error('The types of the library cannot be made.');
}

/** With --no-types those of the build before stay. */
async function addTypes(outdir: string): Promise<void> {
  if (!process.argv.includes('--no-types')) return declareTypes(outdir);
  if (existsSync(join(dist, TYPES))) cpSync(join(dist, TYPES), outdir, { recursive: true });
}

async function buildCode(folder: string): Promise<number> {
  const { inputs } = await buildLibrary(join(folder, 'lib'));
  writeFileSync(join(folder, 'NOTICES.txt'), noticesOf(root, Object.keys(inputs)));
  return buildCommand(folder);
}

process.stderr.write(`building ${basename(root)} ...\n`);
let chunks = 0;
await replaceFolder(dist, async (folder) => {
  mkdirSync(join(folder, 'lib'));
  [chunks] = await Promise.all([buildCode(folder), addTypes(join(folder, TYPES))]);
});
const types = existsSync(join(dist, TYPES)) ? ', types' : '';
process.stderr.write(`built ${basename(root)}: command with ${chunks} lazy chunks, library${types}\n`);
