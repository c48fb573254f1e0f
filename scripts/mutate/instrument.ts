/**
 * Writes every mutant of a file into the file itself, each behind a switch (`mutant(7) ? changed : original`), so that
 * one copy of the project holds them all.
 */
import ts from 'typescript';
import { isLeftAlone, isLookIntoCache, isNeverTrue } from './left-alone.js';

export interface Mutant {
  readonly id: number;
  readonly file: string;
  readonly line: number;
  readonly change: string;
  /** The code that it changes, as far as a line shows it. */
  readonly code: string;
}

/** The function that the instrumented code asks; mutant-switch.ts defines it. */
export const SWITCH = '__mutant';

const LONGEST_CODE = 70;

const OPERATORS: ReadonlyMap<ts.SyntaxKind, readonly string[]> = new Map([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, ['!==']],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, ['===']],
  [ts.SyntaxKind.LessThanToken, ['<=', '>=']],
  [ts.SyntaxKind.LessThanEqualsToken, ['<', '>']],
  [ts.SyntaxKind.GreaterThanToken, ['>=', '<=']],
  [ts.SyntaxKind.GreaterThanEqualsToken, ['>', '<']],
  [ts.SyntaxKind.AmpersandAmpersandToken, ['||']],
  [ts.SyntaxKind.BarBarToken, ['&&']],
  [ts.SyntaxKind.QuestionQuestionToken, ['&&']],
  [ts.SyntaxKind.PlusToken, ['-']],
  [ts.SyntaxKind.MinusToken, ['+']],
  [ts.SyntaxKind.AsteriskToken, ['/']],
  [ts.SyntaxKind.SlashToken, ['*']],
  [ts.SyntaxKind.PercentToken, ['*']],
]);

const METHODS: ReadonlyMap<string, string> = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['min', 'max'],
  ['max', 'min'],
  ['toLowerCase', 'toUpperCase'],
]);

function isCondition(node: ts.Expression): boolean {
  const { parent } = node;
  if (ts.isIfStatement(parent) || ts.isWhileStatement(parent) || ts.isDoStatement(parent))
    return parent.expression === node;
  if (ts.isForStatement(parent) || ts.isConditionalExpression(parent)) return parent.condition === node;
  return false;
}

/** `while (true)` never ends: a loop's condition only becomes false. */
function conditionValues(node: ts.Expression): readonly string[] {
  const { parent } = node;
  if (isNeverTrue(node) || isLookIntoCache(node)) return ['true'];
  return ts.isIfStatement(parent) || ts.isConditionalExpression(parent) ? ['true', 'false'] : ['false'];
}

function isFunctionBody(node: ts.Block): boolean {
  return ts.isFunctionLike(node.parent);
}

/** Adding to a text is no arithmetic, and `-` on one only gives NaN, which every test would notice. */
function joinsText(node: ts.BinaryExpression): boolean {
  const isText = (one: ts.Expression) => ts.isStringLiteralLike(one) || ts.isTemplateExpression(one);
  return isText(node.left) || isText(node.right);
}

class Instrumenter {
  readonly mutants: Mutant[] = [];
  readonly #source: ts.SourceFile;
  readonly #file: string;
  readonly #firstId: number;

  constructor(file: string, text: string, firstId: number) {
    this.#source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    this.#file = file;
    this.#firstId = firstId;
  }

  run(): string {
    return this.#textOf(this.#source);
  }

  /** The node's text with its children instrumented, before its own mutants. */
  #inner(node: ts.Node): string {
    const whole = this.#source.text;
    let text = '';
    let position = node === this.#source ? 0 : node.getStart(this.#source);
    node.forEachChild((child) => {
      const start = child.getStart(this.#source);
      text += whole.slice(position, start) + this.#textOf(child);
      position = child.end;
    });
    return text + whole.slice(position, node.end);
  }

  #textOf(node: ts.Node): string {
    // Types, imports, decorators and the defaults of destructuring are left alone.
    if (
      ts.isTypeNode(node) ||
      ts.isImportDeclaration(node) ||
      ts.isDecorator(node) ||
      ts.isInterfaceDeclaration(node) ||
      isLeftAlone(node)
    )
      return node.getText(this.#source);
    const inner = this.#inner(node);
    if (ts.isBlock(node)) return ts.isConstructorDeclaration(node.parent) ? inner : this.#block(node, inner);
    return ts.isExpression(node) ? this.#expression(node, inner) : inner;
  }

  #block(node: ts.Block, inner: string): string {
    if (node.statements.length === 0 || node.statements.every(isLeftAlone)) return inner;
    if (ts.isIfStatement(node.parent) && isNeverTrue(node.parent.expression)) return inner;
    const id = this.#add(node, isFunctionBody(node) ? 'empty function' : 'empty block');
    if (isFunctionBody(node)) return `{ if (${SWITCH}(${id})) return; ${inner.slice(1)}`;
    return `{ if (!${SWITCH}(${id})) ${inner} }`;
  }

  #expression(node: ts.Expression, inner: string): string {
    let text = inner;
    for (const [change, mutated] of this.#changes(node, inner))
      text = `(${SWITCH}(${this.#add(node, change)}) ? ${mutated} : ${text})`;
    return text;
  }

  *#changes(node: ts.Expression, inner: string): Generator<readonly [string, string]> {
    if (ts.isBinaryExpression(node)) yield* this.#operators(node);
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
      yield ['! removed', `(${inner.slice(1)})`];
    if (node.kind === ts.SyntaxKind.TrueKeyword && !ts.isLiteralTypeNode(node.parent))
      yield ['true → false', 'false'];
    if (node.kind === ts.SyntaxKind.FalseKeyword && !ts.isLiteralTypeNode(node.parent))
      yield ['false → true', 'true'];
    if (ts.isArrayLiteralExpression(node) && node.elements.length > 0 && !isPattern(node))
      yield ['[…] → []', '[]'];
    if (ts.isCallExpression(node)) yield* this.#methods(node);
    if (isCondition(node)) for (const value of conditionValues(node)) yield [`condition → ${value}`, value];
  }

  *#operators(node: ts.BinaryExpression): Generator<readonly [string, string]> {
    const others = OPERATORS.get(node.operatorToken.kind) ?? [];
    if (joinsText(node)) return;
    const left = node.left.getText(this.#source);
    const right = node.right.getText(this.#source);
    const operator = node.operatorToken.getText(this.#source);
    for (const other of others) yield [`${operator} → ${other}`, `((${left}) ${other} (${right}))`];
  }

  *#methods(node: ts.CallExpression): Generator<readonly [string, string]> {
    const called = node.expression;
    // In `a?.filter(f).map(g)` a pair of brackets would end what the question mark guards.
    if (!ts.isPropertyAccessExpression(called) || ts.isOptionalChain(node)) return;
    const name = called.name.text;
    const other = METHODS.get(name);
    const object = called.expression.getText(this.#source);
    const call = node.getText(this.#source).slice(called.getText(this.#source).length);
    if (other !== undefined) yield [`${name} → ${other}`, `${object}.${other}${call}`];
    if (name === 'filter') yield ['filter removed', object];
  }

  #add(node: ts.Node, change: string): number {
    const id = this.#firstId + this.mutants.length;
    const line = this.#source.getLineAndCharacterOfPosition(node.getStart(this.#source)).line + 1;
    const [code = ''] = node.getText(this.#source).split('\n');
    this.mutants.push({ id, file: this.#file, line, change, code: code.slice(0, LONGEST_CODE) });
    return id;
  }
}

/** `[a, b] = pair` looks like a list and is a pattern. */
function isPattern(node: ts.ArrayLiteralExpression): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent))
    return parent.left === node && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken;
  return ts.isForOfStatement(parent) && parent.initializer === node;
}

/** The file with its mutants behind switches, numbered from `firstId`. */
export function instrument(
  file: string,
  text: string,
  firstId: number,
): { text: string; mutants: readonly Mutant[] } {
  const instrumenter = new Instrumenter(file, text, firstId);
  const instrumented = instrumenter.run();
  return { text: instrumented, mutants: instrumenter.mutants };
}
