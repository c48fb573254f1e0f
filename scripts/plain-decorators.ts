import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';
import ts from 'typescript';

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * Writes the decorators of classes and of what their constructors take as the calls that they are, behind the
 * class. esbuild would make a weak map of every private field of a decorated class, and a look-up of every use.
 */
export function withoutDecorators(file: string, text: string): string {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
  const edits = source.statements.filter(ts.isClassDeclaration).flatMap(editsOf);
  return edits
    .sort((one, other) => other.from - one.from)
    .reduce((changed, { from, to, text: put }) => changed.slice(0, from) + put + changed.slice(to), text);
}

function editsOf(declaration: ts.ClassDeclaration): readonly Edit[] {
  const name = declaration.name?.text;
  const parameters = declaration.members.find(ts.isConstructorDeclaration)?.parameters ?? [];
  // As the language orders it: what stands last is applied first, parameters before the class.
  const calls = [
    ...parameters.flatMap((parameter, index) => callsOf(parameter, `${name}, undefined, ${index}`)).reverse(),
    ...[...callsOf(declaration, `${name}`)].reverse(),
  ];
  if (name === undefined || calls.length === 0) return [];
  const removed = [declaration, ...parameters].flatMap(decoratorsOf).map(withoutText);
  return [...removed, { from: declaration.end, to: declaration.end, text: `\n${calls.join('\n')}` }];
}

function callsOf(node: ts.Node, target: string): readonly string[] {
  return decoratorsOf(node).map(({ expression }) => `${expression.getText()}(${target});`);
}

function withoutText(decorator: ts.Decorator): Edit {
  return { from: decorator.getStart(), to: decorator.end, text: '' };
}

function decoratorsOf(node: ts.Node): readonly ts.Decorator[] {
  return ts.canHaveDecorators(node) ? (ts.getDecorators(node) ?? []) : [];
}

export const plainDecorators: Plugin = {
  name: 'plain-decorators',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]src[/\\].*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      return text.includes('@injectable')
        ? { contents: withoutDecorators(path, text), loader: 'ts' }
        : undefined;
    });
  },
};
