import type { SgNode } from '@ast-grep/napi';
import type { CodeImport } from '../../domain/knowledge/pattern/code-imports.js';

interface ImportSyntax {
  readonly kinds: readonly string[];
  modulesOf(node: SgNode): readonly (SgNode | null)[];
}

const SCRIPT: ImportSyntax = {
  kinds: ['import_statement', 'export_statement', 'call_expression'],
  modulesOf: (node) => {
    if (node.kind() !== 'call_expression') return [node.field('source')];
    const called = node.field('function')?.text();
    if (called !== 'require' && called !== 'import') return [];
    return [
      node
        .field('arguments')
        ?.children()
        .find((child) => child.kind() === 'string') ?? null,
    ];
  },
};

const SYNTAXES: Readonly<Record<string, ImportSyntax>> = {
  Tsx: SCRIPT,
  JavaScript: SCRIPT,
  python: {
    kinds: ['import_statement', 'import_from_statement'],
    modulesOf: (node) => {
      if (node.kind() === 'import_from_statement') return [node.field('module_name')];
      return node.children().map((child) => {
        if (child.kind() === 'dotted_name') return child;
        return child.kind() === 'aliased_import' ? child.field('name') : null;
      });
    },
  },
  go: { kinds: ['import_spec'], modulesOf: (node) => [node.field('path')] },
  java: {
    kinds: ['import_declaration'],
    modulesOf: (node) => [node.children().find((child) => /identifier$/.test(String(child.kind()))) ?? null],
  },
};

/** What the statements of a program import; undefined where the grammar is not known to import anything. */
export function importsOf(root: SgNode, grammar: string): readonly CodeImport[] | undefined {
  const syntax = Object.hasOwn(SYNTAXES, grammar) ? SYNTAXES[grammar] : undefined;
  if (syntax === undefined) return undefined;
  return syntax.kinds
    .flatMap((kind) => root.findAll({ rule: { kind } }))
    .flatMap((node) => syntax.modulesOf(node))
    .flatMap((node) => {
      if (node === null) return [];
      const { line, column } = node.range().start;
      const module = node.text().replace(/^["'`]|["'`]$/g, '');
      return [{ module, line: line + 1, column: column + 1 }];
    });
}
