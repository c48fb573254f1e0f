import type { ParsedScript } from 'unbash';

const MAX_NODES = 4096;
const LAZY = [
  'parts',
  'value',
  'elements',
  'index',
  'expression',
  'operation',
  'initialize',
  'test',
  'update',
];
const SCRIPTS = new Set(['CommandExpansion', 'ProcessSubstitution', 'ArithmeticCommandExpansion']);

/**
 * The scripts that a node of the parser holds in its words, at any depth, the nearest ones: what lies in a script is
 * found when that one is read. `without` names fields of the node that the caller reads itself.
 */
export function innerScripts(
  node: object,
  without: readonly string[] = [],
): readonly (ParsedScript | undefined)[] {
  const found: (ParsedScript | undefined)[] = [];
  const open: object[] = [];
  const add = (owner: object, names: readonly string[]): void => {
    for (const [name, value] of Object.entries(owner)) {
      if (typeof value === 'object' && value !== null && !names.includes(name)) open.push(value);
    }
    // Some fields are worked out when they are asked for, and not listed among the others.
    for (const name of LAZY) {
      const value: unknown = Object.hasOwn(owner, name) ? undefined : Reflect.get(owner, name);
      if (typeof value === 'object' && value !== null && !names.includes(name)) open.push(value);
    }
  };
  add(node, without);
  for (let seen = 0; open.length > 0; seen += 1) {
    const next = open.pop();
    if (next === undefined) break;
    if (seen > MAX_NODES) return [...found, undefined];
    const type: unknown = Reflect.get(next, 'type');
    if (typeof type === 'string' && SCRIPTS.has(type)) found.push(scriptOf(next));
    else add(next, []);
  }
  return found.reverse();
}

function scriptOf(node: object): ParsedScript | undefined {
  const script: unknown = Reflect.get(node, 'script');
  return isScript(script) ? script : undefined;
}

function isScript(value: unknown): value is ParsedScript {
  return typeof value === 'object' && value !== null && Reflect.get(value, 'type') === 'Script';
}
