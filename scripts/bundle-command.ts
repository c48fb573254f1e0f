import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type BuildOptions, build, type OnResolveArgs, type OnResolveResult, type Plugin } from 'esbuild';

/** Packages with native code cannot be bundled; they are dependencies of the package. */
const NATIVE = ['@ast-grep/*'];
/** Its main file hands `require` to a function, where esbuild cannot see what is asked for. */
const ALIAS = { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' };
/** Stands for import.meta.url, which CommonJS does not have. */
const PLACE = 'chunkUrl';
/** How a chunk names a module that the start bundle has; scripts/run-bundle.cjs looks it up there. */
const FROM_START = 'start:';
/** Our own modules and the container's. Other packages are small where the start and a chunk both have them. */
const SHARED = /^src\/|^node_modules\/inversify\//;

/** The SDK makes its own schema checker unless it is given one, and we always give it one. */
const leaveOutAjv: Plugin = {
  name: 'leave-out-ajv',
  setup({ onLoad }) {
    onLoad({ filter: /validation[/\\]ajv-provider\.js$/ }, () => ({
      contents: 'export class AjvJsonSchemaValidator {}',
    }));
  },
};

/** Modules of Node that take long to load and that most starts have no use for. */
const LATE = /^node:(?:child_process|crypto|fs\/promises|os|timers\/promises|tls)$/;

/**
 * Their functions are loaded by the first call of one. What is no function (a class, a constant) is not there:
 * importing it fails the build, and belongs into a chunk.
 */
const lateBuiltins: Plugin = {
  name: 'late-builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: LATE }, ({ path, namespace }) =>
      namespace === 'late' ? { path, external: true } : { path, namespace: 'late' },
    );
    onLoad({ filter: /.*/, namespace: 'late' }, async ({ path }) => {
      const module: Readonly<Record<string, unknown>> = await import(path);
      const functions = Object.keys(module).filter(
        (name) => /^[a-z]/.test(name) && typeof module[name] === 'function',
      );
      const forward = (name: string) => `export const ${name} = (...args) => real().${name}(...args);`;
      return {
        contents: `let loaded;\nconst real = () => (loaded ??= require('${path}'));\n${functions.map(forward).join('\n')}`,
      };
    });
  },
};

/** yaml looks into the environment for a debugging switch at every token, which is a third of the time it takes. */
const quietYaml: Plugin = {
  name: 'quiet-yaml',
  setup({ onLoad }) {
    onLoad({ filter: /yaml[/\\]dist[/\\](parse[/\\]parser|compose[/\\]composer)\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(/node_process\.env\.LOG_\w+/g, 'false'),
    }));
  },
};

/**
 * Bundles the command into `outdir`: castellan.js is what a start needs, in one scope; whatever is imported
 * dynamically is a chunk of its own, which takes from the start what the start has. A class, a symbol or a
 * table is so there once, whoever asks for it.
 */
export async function bundleCommand(root: string, outdir: string): Promise<readonly string[]> {
  const command = new CommandBundle(root, outdir);
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
    external: NATIVE,
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
  readonly #entries = new Map<string, string>();
  readonly #common: BuildOptions;

  constructor(
    private readonly root: string,
    private readonly outdir: string,
  ) {
    this.#common = {
      absWorkingDir: root,
      bundle: true,
      platform: 'node',
      target: 'node20.19',
      format: 'cjs',
      legalComments: 'none',
      minifyWhitespace: true,
      // import() becomes a lazy require(): no module loader has to wake up for it.
      supported: { 'dynamic-import': false },
      logLevel: 'warning',
      external: NATIVE,
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
        contents: `${imports.join('\n')}\nimport './src/main.ts';\nexport const shared = { ${table.join(', ')} };\n`,
        resolveDir: this.root,
        sourcefile: 'start.ts',
      },
      outfile: join(this.outdir, 'castellan.js'),
      plugins: [lateBuiltins, leaveOutAjv, this.#apart()],
      metafile: true,
    });
    const kept = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
    this.#modules = new Set(kept.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path));
  }

  async chunks(): Promise<readonly string[]> {
    for (const [name, path] of this.#entries) if (this.#modules.has(path)) this.#entries.delete(name);
    await build({
      ...this.#common,
      entryPoints: Object.fromEntries(this.#entries),
      outdir: join(this.outdir, 'chunks'),
      plugins: [leaveOutAjv, quietYaml, this.#fromStart()],
    });
    return [...this.#entries.keys()];
  }

  /** What is imported dynamically is not part of the start. */
  #apart(): Plugin {
    return resolving('apart', async (args, found) => {
      const module = relative(this.root, found);
      if (args.kind !== 'dynamic-import' || this.#modules.has(module)) return undefined;
      const name = chunkName(args.path);
      this.#entries.set(name, module);
      return { path: `./chunks/${name}.js`, external: true };
    });
  }

  #fromStart(): Plugin {
    return resolving('from-start', async (_args, found) => {
      const module = relative(this.root, found);
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

type Decide = (args: OnResolveArgs, found: string) => Promise<OnResolveResult | undefined>;

/** A plugin that decides about each import once it is known which file it means. */
function resolving(name: string, decide: Decide): Plugin {
  return {
    name,
    setup({ onResolve, resolve }) {
      onResolve({ filter: /.*/ }, async (args) => {
        const { path, kind, importer, resolveDir, pluginData } = args;
        if (pluginData === 'found' || kind === 'entry-point') return undefined;
        const found = await resolve(path, { kind, importer, resolveDir, pluginData: 'found' });
        return found.external || found.errors.length > 0 ? undefined : decide(args, found.path);
      });
    },
  };
}

function chunkName(path: string): string {
  return path
    .replace(/^\.+\//, '')
    .replace(/\.js$/, '')
    .replaceAll(/[^a-zA-Z0-9]+/g, '-');
}
