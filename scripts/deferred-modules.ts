import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Plugin } from 'esbuild';
import { type DeferredModule, readDeferredModule } from './deferred-module.js';
import { withoutDecorators } from './plain-decorators.js';

/** Where functions and classes are that a start, a list of tools and an echo do without. Each is a chunk. */
const AREAS: ReadonlyMap<string, RegExp> = new Map([
  ['commands', /^src\/(?:domain|application|infrastructure)\/command\//],
  ['knowledge', /^src\/(?:domain|application|infrastructure)\/knowledge\//],
  ['policies', /^src\/infrastructure\/(?:policy|config)\//],
  ['files', /^src\/(?:(?:domain|application|infrastructure)\/file|presentation\/answers)\//],
  ['models', /^src\/(?:domain|application|infrastructure)\/(?:model|prompt)\//],
]);

/** What a start does call there, or makes an object of. A test fails when it loads one of the chunks. */
const STARTED = new RegExp(
  `^src/(?:${[
    'application/command/(?:background/background-processes|running-commands|session-commands|session-tmp-folders|prepare-commands)',
    'application/file/(?:file-failure|hard-link-guard|guarded-access)',
    'application/knowledge/find-document',
    'application/prompt/.*',
    'domain/command/(?:wrapper-grammar|programs/runners)',
    'domain/file/file-error',
    'infrastructure/command/git/(?:named-files|named-programs|git-files|git-pointers)',
    'infrastructure/command/(?:program/policy-program-locator|runner/(?:platform-sandbox|local-command-runner)|sandbox/.*|launch/.*|feedback/(?:sandbox-hint|outside-hint)|unsandboxed/.*|workspace/denied-object-store)',
    'infrastructure/config/(?:distinct-list-shape|json-tree)',
    'infrastructure/file/(?:disk-inode-scan|text/lazy-text-formats|guarded-(?:file-system|folder)|locate/(?:path|linux)-locator|read/.*|write/.*)',
    'infrastructure/knowledge/(?:coalescing-resource-notices|code-rule-checker|folder-watch|text-cache|file-document-library)',
    'infrastructure/policy/(?:file-trust-store|load-policy|layer-loader|server-paths)',
    'infrastructure/policy/compile/(?:merge-policies|compile-.*|resolve-pattern)',
    'infrastructure/model/anthropic-model',
    'infrastructure/prompt/.*',
    'presentation/answers/.*',
  ].join('|')})\\.ts$`,
);

const LOADER = 'deferred:';

/**
 * Modules that the start has by name only: their functions and classes are loaded, an area at a time, by the first
 * use of one. A function is then the real one, for all who imported it; a class stays what the container knows, and
 * makes objects of the real one.
 */
export class DeferredModules {
  readonly areas: readonly string[] = [...AREAS.keys()];
  readonly #read = new Map<string, DeferredModule | undefined>();
  /** What the start has of an area. */
  readonly #reached = new Map<string, Set<string>>(this.areas.map((area) => [area, new Set()]));

  constructor(private readonly root: string) {}

  /** The area of a module that can be deferred. */
  areaOf(module: string): string | undefined {
    const area = this.areas.find((name) => AREAS.get(name)?.test(module));
    return area !== undefined && this.#moduleOf(module) !== undefined ? area : undefined;
  }

  #moduleOf(module: string): DeferredModule | undefined {
    if (STARTED.test(module)) return undefined;
    if (!this.#read.has(module)) {
      this.#read.set(module, readDeferredModule(module, readFileSync(join(this.root, module), 'utf8')));
    }
    return this.#read.get(module);
  }

  /** The text of an area's chunk: all that the start has stubs of. */
  chunkText(area: string): string {
    const modules = [...(this.#reached.get(area) ?? [])].sort();
    const imports = modules.map((module, index) => `import * as m${index} from './${module}';`);
    const table = modules.map((module, index) => `${JSON.stringify(module)}: m${index}`);
    return `${imports.join('\n')}\nexport const modules = { ${table.join(', ')} };\n`;
  }

  /** For the start: stubs in place of deferred modules. */
  readonly stubs: Plugin = {
    name: 'deferred-modules',
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /^deferred:/ }, ({ path }) => ({ path, namespace: 'deferred' }));
      onResolve({ filter: /^\.\/chunks\//, namespace: 'deferred' }, ({ path }) => ({ path, external: true }));
      onLoad({ filter: /.*/, namespace: 'deferred' }, ({ path }) => ({
        contents: loaderText(path.slice(LOADER.length)),
      }));
      onLoad({ filter: /[/\\]src[/\\].*\.ts$/ }, ({ path }) => {
        const module = relative(this.root, path);
        const area = this.areaOf(module);
        const deferred = this.#moduleOf(module);
        if (area === undefined || deferred === undefined) return undefined;
        this.#reached.get(area)?.add(module);
        const contents = withoutDecorators(path, stubText(module, area, deferred));
        return { contents, loader: 'ts', resolveDir: dirname(path) };
      });
    },
  };
}

export function deferredChunk(area: string): string {
  return `deferred-${area}`;
}

/** All stubs of an area take their functions at once, so that hardly a call goes through one. */
function loaderText(area: string): string {
  return [
    'export const takers = [];',
    'export function load() {',
    '  if (takers.length === 0) return;',
    `  const { modules } = require('./chunks/${deferredChunk(area)}.js');`,
    '  for (const take of takers.splice(0)) take(modules);',
    '}',
  ].join('\n');
}

function stubText(
  module: string,
  area: string,
  { functions, classes, constants, imports }: DeferredModule,
): string {
  return [
    ...imports,
    `import { load as deferredLoad, takers as deferredTakers } from '${LOADER}${area}';`,
    'let deferredReal;',
    ...constants.map((constant) => `export const ${constant};`),
    ...functions.map((name) => `export let ${name} = (...args) => (deferredLoad(), ${name}(...args));`),
    ...classes.map(
      ({ name, decorators, parameters }) =>
        `${decorators}export class ${name} { constructor(${parameters.join(', ')}) { deferredLoad(); return new deferredReal.${name}(...arguments); } }`,
    ),
    'deferredTakers.push((modules) => {',
    `  deferredReal = modules[${JSON.stringify(module)}];`,
    ...functions.map((name) => `  ${name} = deferredReal.${name};`),
    '});',
  ].join('\n');
}
