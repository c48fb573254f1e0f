import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';
import * as castellan from '../../src/ports.js';

const SOURCES = join(import.meta.dirname, '../../src');
const PORTS = join(SOURCES, 'application/ports');
const portFiles = (): readonly string[] =>
  readdirSync(PORTS, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

/** The names of our own types that stand in a port's file: what it imports from us, and what it declares. */
function namedTypes(file: string): readonly string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const own = new Set<string>();
  const named = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && node.moduleSpecifier.getText().includes('./'))
      for (const { name } of importedBy(node)) own.add(name.text);
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) own.add(node.name.text);
    if (ts.isTypeReferenceNode(node)) named.add(node.typeName.getText());
    if (ts.isExpressionWithTypeArguments(node)) named.add(node.expression.getText());
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...named].filter((name) => own.has(name));
}

function importedBy({ importClause }: ts.ImportDeclaration): readonly ts.ImportSpecifier[] {
  const bindings = importClause?.namedBindings;
  return bindings !== undefined && ts.isNamedImports(bindings) ? [...bindings.elements] : [];
}

/** Those of the names that the compiler does not find in an entry point; what others wrote is not asked for. */
function missingIn(entry: string, names: readonly string[]): readonly string[] {
  const consumer = join(SOURCES, 'consumer.ts');
  const text = `import type { ${names.join(', ')} } from './${entry}.js';\nexport type { ${names.join(', ')} };\n`;
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    types: [],
    noLib: true,
    noEmit: true,
    skipLibCheck: true,
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile } = host;
  host.fileExists = (file) => file === consumer || fileExists(file);
  host.getSourceFile = (file, target, ...rest) => {
    if (file === consumer) return ts.createSourceFile(file, text, target);
    return file.includes('/node_modules/')
      ? ts.createSourceFile(file, 'export {};', target)
      : getSourceFile(file, target, ...rest);
  };
  const program = ts.createProgram([consumer], options, host);
  return program
    .getSemanticDiagnostics(program.getSourceFile(consumer))
    .flatMap(
      ({ messageText }) =>
        /member '(\w+)'/.exec(ts.flattenDiagnosticMessageText(messageText, '\n'))?.[1] ?? [],
    );
}

describe('The ports that an embedder can rebind', () => {
  it('are all exported, under the name of their token', async () => {
    const exported: Readonly<Record<string, unknown>> = castellan;
    const tokens: string[] = [];
    for (const file of portFiles()) {
      const port: Readonly<Record<string, unknown>> = await import(join(PORTS, file));
      for (const [name, value] of Object.entries(port)) {
        if (typeof value !== 'symbol') continue;
        tokens.push(name);
        expect(exported[name], name).to.equal(value);
      }
    }
    expect(tokens.length).to.be.above(45);
  });

  it('have signatures whose every type a consumer can name', function () {
    this.timeout(60_000);
    const names = [...new Set(portFiles().flatMap((file) => namedTypes(join(PORTS, file))))];
    expect(names.length).to.be.above(120);
    const unpromised = missingIn('index', [...names, 'NotThere']);
    expect(missingIn('ports', unpromised)).to.deep.equal(['NotThere']);
  });
});
