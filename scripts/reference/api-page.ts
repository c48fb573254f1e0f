import { resolve } from 'node:path';
import ts from 'typescript';
import { code, pageOf, table } from './markdown.js';

const root = resolve(import.meta.dirname, '../..');

/** By flag, the first that fits: a port is a constant and an interface under one name. */
const KINDS: readonly (readonly [number, string])[] = [
  [ts.SymbolFlags.Class, 'class'],
  [ts.SymbolFlags.Function, 'function'],
  [ts.SymbolFlags.Interface, 'interface'],
  [ts.SymbolFlags.TypeAlias, 'type'],
  [ts.SymbolFlags.Variable, 'constant'],
];

/** Every export of an entry point with its kind and the first sentence of its comment. */
export function apiPage(): string {
  const entries = [
    ['castellan', 'src/index.ts'],
    ['castellan/ports', 'src/ports.ts'],
    ['castellan/testing', 'src/testing/testing.ts'],
    ['castellan/openfeature', 'src/openfeature/openfeature.ts'],
  ] as const;
  const files = entries.map(([, file]) => resolve(root, file));
  const program = ts.createProgram(files, compilerOptions());
  const parts = entries.map(([name], index) => section(program, name, files[index] ?? ''));
  return pageOf(
    'Public API',
    'Every export of the package. A *port* is an interface together with the token it is bound under. The names of `castellan` are promised: they change with a major version. Those of `castellan/ports` are for hosts that bind adapters of their own, and may change with a minor version.',
    parts,
  );
}

export interface ApiEntry {
  readonly name: string;
  readonly kind: string;
  readonly sentence: string;
}

function section(program: ts.Program, name: string, file: string): string {
  const rows = entriesOf(program, file).map((entry) => [code(entry.name), entry.kind, entry.sentence]);
  return `## ${name}\n\n${table(['export', 'kind', 'purpose'], rows)}`;
}

function entriesOf(program: ts.Program, file: string): readonly ApiEntry[] {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${file} exports nothing.`);
  return checker
    .getExportsOfModule(module)
    .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
    .map((symbol) => ({
      name: symbol.name,
      kind: kindOf(symbol),
      sentence: firstSentence(ts.displayPartsToString(symbol.getDocumentationComment(checker))),
    }))
    .sort((one, other) => one.name.localeCompare(other.name, 'en'));
}

function kindOf({ flags }: ts.Symbol): string {
  const port = ts.SymbolFlags.Variable;
  if (flags & port && flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias)) return 'port';
  return KINDS.find(([flag]) => flags & flag)?.[1] ?? '';
}

function firstSentence(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return /^.*?[.:](?= |$)/.exec(line)?.[0].replace(/:$/, '.') ?? line;
}

function compilerOptions(): ts.CompilerOptions {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined };
  return ts.getParsedCommandLineOfConfigFile(resolve(root, 'tsconfig.json'), {}, host)?.options ?? {};
}
