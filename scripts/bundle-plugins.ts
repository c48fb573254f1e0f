import { readFileSync } from 'node:fs';
import { type OnResolveArgs, type OnResolveResult, type Plugin, transform } from 'esbuild';

/** How a chunk names a module that the start bundle has; scripts/run-bundle.cjs looks it up there. */
export const FROM_START = 'start:';
/** The container's package, of which the start gives what is used of it; the build fails where a chunk uses more. */
export const CONTAINER = `${FROM_START}node_modules/inversify`;
export const CONTAINER_NAMES = 'Container, ContainerModule, inject, injectable, multiInject';

/** For chunks: a second copy of the container would be a tenth of a megabyte in each. */
export const containerOfStart: Plugin = {
  name: 'container-of-start',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^inversify$/ }, ({ path }) => ({ path, namespace: 'container' }));
    onResolve({ filter: /^start:/, namespace: 'container' }, ({ path }) => ({ path, external: true }));
    onLoad({ filter: /.*/, namespace: 'container' }, () => ({
      contents: `const { ${CONTAINER_NAMES} } = require('${CONTAINER}');\nexport { ${CONTAINER_NAMES} };`,
    }));
  },
};

/** The SDK makes its own schema checker unless it is given one, and we always give it one. */
export const leaveOutAjv: Plugin = {
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
export const lateBuiltins: Plugin = {
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
export const quietYaml: Plugin = {
  name: 'quiet-yaml',
  setup({ onLoad }) {
    onLoad({ filter: /yaml[/\\]dist[/\\](parse[/\\]parser|compose[/\\]composer)\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(/node_process\.env\.LOG_\w+/g, 'false'),
    }));
  },
};

/** Packages in short names: they are most of what ours weighs. Our own code keeps its names, for stacks. */
export const shortPackages: Plugin = {
  name: 'short-packages',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]node_modules[/\\].*\.[cm]?js$/ }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, 'utf8'), { minify: true, target: 'node20.19' });
      return { contents: code };
    });
  },
};

/**
 * execa copies all descriptors before each one to look for files and streams among them that are the same. Where
 * somebody left descriptor 251 open in the server, those that cover it would be 30,000 copies for every process.
 */
export const quickExeca: Plugin = {
  name: 'quick-execa',
  setup({ onLoad }) {
    onLoad({ filter: /execa[/\\]lib[/\\]stdio[/\\]duplicate\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const all = 'const otherStdioItems = getOtherStdioItems(';
      if (!text.includes(all)) throw new Error(`${path} looks for the same in another way: see quickExeca.`);
      const others = 'if (!SPECIAL_DUPLICATE_TYPES.has(type) && !FORBID_DUPLICATE_TYPES.has(type)) return;';
      return { contents: text.replace(all, `${others}\n${all}`) };
    });
  },
};

/** What is put in the place of what, so that the container looks for plans only where it has made one. */
const CALM: readonly (readonly [RegExp, string])[] = [
  [/#subscribers;/, '$& #planned = false;'],
  [/ set\(options, planResult\) \{/, '$& this.#planned = true;'],
  [/ setNonCachedServiceNode\(node, context\) \{/, '$& this.#planned = true;'],
  [
    /(?<= invalidateServiceBinding\(invalidation\) \{)(?:\s*this\.#\w+\(invalidation\);){5}/,
    ' if (this.#planned) {$&}',
  ],
];

/** At every binding the container looks through 32 tables of plans, which takes a third of the time of binding. */
export const calmContainer: Plugin = {
  name: 'calm-container',
  setup({ onLoad }) {
    onLoad({ filter: /planning[/\\]services[/\\]PlanResultCacheService\.js$/ }, ({ path }) => {
      let contents = readFileSync(path, 'utf8');
      for (const [part, changed] of CALM) {
        if (!part.test(contents)) throw new Error(`${path} has no ${part}: see calmContainer.`);
        contents = contents.replace(part, changed);
      }
      return { contents };
    });
  },
};

type Decide = (args: OnResolveArgs, found: string) => Promise<OnResolveResult | undefined>;

/** Which file an import means, by all that it depends on: every pass over the modules would ask again. */
const foundFiles = new Map<string, string | undefined>();

/** A plugin that decides about each import once it is known which file it means. */
export function resolving(name: string, decide: Decide): Plugin {
  return {
    name,
    setup({ onResolve, resolve }) {
      onResolve({ filter: /.*/ }, async (args) => {
        const { path, kind, importer, resolveDir, pluginData } = args;
        if (pluginData === 'found' || kind === 'entry-point') return undefined;
        const key = [kind, resolveDir, path].join('\0');
        if (!foundFiles.has(key)) {
          const found = await resolve(path, { kind, importer, resolveDir, pluginData: 'found' });
          foundFiles.set(key, found.external || found.errors.length > 0 ? undefined : found.path);
        }
        const file = foundFiles.get(key);
        return file === undefined ? undefined : decide(args, file);
      });
    },
  };
}
