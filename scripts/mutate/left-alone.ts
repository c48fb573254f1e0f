/**
 * Code that no mutant is made of, because no test should notice one: what is written into the log, the words of a
 * message, and what can only be noticed by the time it takes (a look into a cache). An Error is thrown for bugs alone,
 * expected failures are values, so the check before it is not switched off either: it never holds.
 */
import ts from 'typescript';

/** Nothing in it is changed. */
export function isLeftAlone(node: ts.Node): boolean {
  return logs(node) || isProse(node);
}

/** It is not made to be false; made to be true, it must be noticed. */
export function isNeverTrue(condition: ts.Expression): boolean {
  const { parent } = condition;
  return ts.isIfStatement(parent) && parent.expression === condition && throwsError(parent.thenStatement);
}

/** `const known = cache.get(key); if (known !== undefined) return known;` in a function that also fills it. */
export function isLookIntoCache(condition: ts.Expression): boolean {
  const { parent } = condition;
  if (!ts.isIfStatement(parent) || parent.expression !== condition) return false;
  const [first] = statementsOf(parent.thenStatement);
  if (first === undefined || !ts.isReturnStatement(first) || first.expression === undefined) return false;
  const name = first.expression.getText();
  if (condition.getText() !== `${name} !== undefined`) return false;
  const around = enclosingFunction(parent)?.getText() ?? '';
  const cache = new RegExp(`const ${name} = ([\\w.#]+)\\.get\\(`).exec(around)?.[1];
  return cache !== undefined && around.includes(`${cache}.set(`);
}

function enclosingFunction(node: ts.Node): ts.Node | undefined {
  return ts.findAncestor(node, ts.isFunctionLike);
}

function statementsOf(statement: ts.Statement): readonly ts.Statement[] {
  return ts.isBlock(statement) ? statement.statements : [statement];
}

function throwsError(statement: ts.Statement): boolean {
  const [first, second] = statementsOf(statement);
  if (first === undefined || second !== undefined || !ts.isThrowStatement(first)) return false;
  return /^new Error\b/.test(first.expression.getText());
}

function logs(node: ts.Node): boolean {
  if (ts.isExpressionStatement(node)) return /^(?:this\.)?#?logger\b/.test(node.expression.getText());
  if (!ts.isIfStatement(node)) return false;
  const statements = [node.thenStatement, ...(node.elseStatement ? [node.elseStatement] : [])];
  return statements.flatMap(statementsOf).every(logs);
}

/** Words for a person: a text with a blank in it, or a choice between such texts or nothing. */
function isProse(node: ts.Node): boolean {
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].every(mayBeProse);
  return ts.isTemplateExpression(node) && hasWords(node);
}

function mayBeProse(node: ts.Expression): boolean {
  if (ts.isStringLiteralLike(node)) return node.text === '' || /\S \S|^ \S|\S $/.test(node.text);
  return isProse(node);
}

function hasWords(node: ts.TemplateExpression): boolean {
  const texts = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
  return texts.some((text) => /[a-z]{2,} | [a-z]{2,}/i.test(text));
}
