import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type BuildOptions, build, type Metafile, type OnResolveResult, type Plugin } from 'esbuild';
import {
  CONTAINER,
  CONTAINER_NAMES,
  calmContainer,
  containerOfStart,
  FROM_START,
  lateBuiltins,
  leaveOutAjv,
  quickExeca,
  quietYaml,
  resolving,
  shortPackages,
} from './bundle-plugins.js';
import { DeferredModules, deferredChunk } from './deferred-modules.js';
import { plainDecorators } from './plain-decorators.js';

/** Stay where npm put them: native code cannot be bundled, and iconv-lite is large and seldom needed. */
const OUTSIDE = ['@ast-grep/*', 'iconv-lite'];
/** Its main file hands `require` to a function, where esbuild cannot see what is asked for. */
const ALIAS = { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' };
/** Stands for import.meta.url, which CommonJS does not have. */
const PLACE = 'chunkUrl';
/** Our own modules. Packages but the container's are small where the start and a chunk both have them. */
const SHARED = /^src\//;
const PACKAGES = /^node_modules\//;

/**
 * Bundles the command into `outdir`: castellan.js is what a start needs, in one scope; whatever is imported
 * dynamically is a chunk of its own, which takes from the start what the start has. A class, a symbol or a
 * table is so there once, whoever asks for it.
 */
export async function bundleCommand(root: string, outdir: string): Promise<readonly string[]> {
  const command = new CommandBundle(root, outdir);
  await command.start();
  await command.chunks();
  // Once more: what two chunks would both have is now in the start.
  await command.start();
  const chunks = await command.chunks();
  await command.start();
  const files = ['castellan', ...chunks.map((name) => `chunks/${name}`)];
  checkWhole(files.map((file) => join(outdir, `${file}.js`)));
  stamp(files.map((file) => join(outdir, `${file}.js`)));
  for (const file of files) wrap(join(outdir, `${file}.js`));
  return chunks;
}

/** A program of its own, which the command starts as another process: it shares nothing with the start. */
export async function bundleProgram(root: string, entry: string, outfile: string): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    legalComments: 'none',
    minifyWhitespace: true,
    logLevel: 'warning',
    external: OUTSIDE,
  });
}

/** A file that a bundle asks for by a relative path is one that was left out: it is not there when it is asked for. */
function checkWhole(files: readonly string[]): void {
  for (const file of files)
    for (const [, asked = ''] of readFileSync(file, 'utf8').matchAll(/\brequire\("(\.[^"]*)"\)/g))
      if (!asked.startsWith('./chunks/'))
        throw new Error(`${file} asks for ${asked}, which is not bundled: name its package in ALIAS.`);
}

/**
 * Puts a hash of them all into the names by which chunks ask the start. A server that runs while its files are
 * replaced finds the chunks of another build under their old names, and must not take them.
 */
function stamp(files: readonly string[]): void {
  const codes = files.map((file) => readFileSync(file, 'utf8'));
  const build = createHash('sha256').update(codes.join('\0')).digest('hex').slice(0, 16);
  for (const [index, file] of files.entries()) {
    const code = codes[index] ?? '';
    writeFileSync(file, code.replaceAll(/"start:(?=src\/|node_modules\/)/g, `"start:${build}:`));
  }
}

class CommandBundle {
  /** The modules of the start, relative to the root; and those among them that chunks ask for. */
  #modules: ReadonlySet<string> = new Set();
  readonly #shared = new Set<string>();
  /** The names of chunks by the module that each begins with. */
  readonly #entries = new Map<string, string>();
  readonly #deferred: DeferredModules;
  readonly #common: BuildOptions;

  constructor(
    private readonly root: string,
    private readonly outdir: string,
  ) {
    this.#deferred = new DeferredModules(root);
    this.#common = {
      absWorkingDir: root,
      bundle: true,
      platform: 'node',
      target: 'node20.19',
      format: 'cjs',
      legalComments: 'none',
      minifyWhitespace: true,
      minifySyntax: true,
      // import() becomes a lazy require(): no module loader has to wake up for it.
      supported: { 'dynamic-import': false },
      logLevel: 'warning',
      external: OUTSIDE,
      alias: ALIAS,
      define: { 'import.meta.url': PLACE, 'import.meta.dirname': '__dirname' },
    };
  }

  /** Written twice: what chunks ask for is known only when they were bundled against the first. */
  async start(): Promise<void> {
    const shared = [...this.#shared].sort();
    const imports = shared.map((module, index) => `import * as m${index} from './${module}';`);
    const table = shared.map((module, index) => `${JSON.stringify(FROM_START + module)}: m${index}`);
    const { metafile } = await build({
      ...this.#common,
      stdin: {
        contents: [
          ...imports,
          `import { ${CONTAINER_NAMES} } from 'inversify';`,
          `import './src/main.ts';`,
          `export const shared = { '${CONTAINER}': { ${CONTAINER_NAMES} }, ${table.join(', ')} };`,
        ].join('\n'),
        resolveDir: this.root,
        sourcefile: 'start.ts',
      },
      outfile: join(this.outdir, 'castellan.js'),
      plugins: [
        this.#deferred.stubs,
        plainDecorators,
        lateBuiltins,
        leaveOutAjv,
        calmContainer,
        shortPackages,
        this.#apart(),
      ],
      metafile: true,
    });
    const kept = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
    this.#modules = new Set(kept.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path));
  }

  /** First the areas, then what is imported dynamically, by the start, by areas and by one another. */
  async chunks(): Promise<readonly string[]> {
    for (const [module] of this.#entries) if (this.#modules.has(module)) this.#entries.delete(module);
    const areas = await Promise.all(this.#deferred.areas.map((area) => this.#area(area)));
    const others: Metafile[] = [];
    for (let known = 0; known < this.#entries.size; ) {
      const entries = [...this.#entries].slice(known);
      known += entries.length;
      const { metafile } = await build({
        ...this.#common,
        entryPoints: Object.fromEntries(entries.map(([module, name]) => [name, module])),
        outdir: join(this.outdir, 'chunks'),
        plugins: this.#chunkPlugins(),
        metafile: true,
      });
      others.push(metafile);
    }
    this.#shareDuplicates(areas, others);
    return [...this.#entries.values(), ...this.#deferred.areas.map(deferredChunk)];
  }

  #chunkPlugins(area?: string): Plugin[] {
    return [
      plainDecorators,
      containerOfStart,
      leaveOutAjv,
      quickExeca,
      quietYaml,
      shortPackages,
      this.#apart(),
      this.#fromStart(area),
    ];
  }

  async #area(area: string): Promise<Metafile> {
    const { metafile } = await build({
      ...this.#common,
      stdin: {
        contents: this.#deferred.chunkText(area),
        resolveDir: this.root,
        sourcefile: `${deferredChunk(area)}.ts`,
      },
      outfile: join(this.outdir, 'chunks', `${deferredChunk(area)}.js`),
      plugins: this.#chunkPlugins(area),
      metafile: true,
    });
    return metafile;
  }

  /** What an area and another chunk both have belongs into the start: it may have a state, or be asked for by class. */
  #shareDuplicates(areas: readonly Metafile[], others: readonly Metafile[]): void {
    const outputs = [...areas, ...others].flatMap(({ outputs }) => Object.values(outputs));
    for (const module of new Set(areas.flatMap((area) => Object.keys(area.inputs)))) {
      const holders = outputs.filter(({ inputs }) => (inputs[module]?.bytesInOutput ?? 0) > 0).length;
      if (SHARED.test(module) && holders > 1) this.#shared.add(module);
    }
  }

  /** What is imported dynamically is a chunk. */
  #apart(): Plugin {
    return resolving('apart', async ({ kind, path }, found) => {
      const module = relative(this.root, found);
      if (kind !== 'dynamic-import' || this.#modules.has(module)) return undefined;
      return this.#chunk(module, path);
    });
  }

  #chunk(module: string, path: string): OnResolveResult {
    const name = this.#entries.get(module) ?? chunkName(path);
    for (const [other, taken] of this.#entries) {
      if (taken === name && other !== module)
        throw new Error(`${other} and ${module} are both called ${name}.`);
    }
    this.#entries.set(module, name);
    return { path: `./chunks/${name}.js`, external: true };
  }

  /** For chunks: what the start has, it gives, but to an area not its own stubs; a package that is a chunk stays one. */
  #fromStart(area?: string): Plugin {
    return resolving('from-start', async ({ path }, found) => {
      const module = relative(this.root, found);
      if (PACKAGES.test(module) && this.#entries.has(module)) return this.#chunk(module, path);
      if (area !== undefined && this.#deferred.areaOf(module) === area) return undefined;
      if (!SHARED.test(module) || !this.#modules.has(module)) return undefined;
      this.#shared.add(module);
      return { path: FROM_START + module, external: true };
    });
  }
}

/**
 * Makes a file the function that scripts/run-bundle.cjs calls, as it is: no copy has to be made of a megabyte.
 * esbuild leaves regular expressions as they are written; escaped, the file is ASCII and read byte by byte.
 */
function wrap(file: string): void {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const code = readFileSync(file, 'utf8').replaceAll(/[^\0-\x7f]/g, escaped);
  // Packages that look for their own files ask where they are.
  const place = code.includes(PLACE)
    ? `const ${PLACE}=require('node:url').pathToFileURL(__filename).href;`
    : '';
  writeFileSync(file, `(function (exports, require, module, __filename, __dirname) {${place}${code}\n})`);
}

function chunkName(path: string): string {
  return path
    .replace(/^\.+\//, '')
    .replace(/\.js$/, '')
    .replaceAll(/[^a-zA-Z0-9]+/g, '-');
}
