import { isMap, isScalar, LineCounter, parse, parseDocument, stringify, visit } from 'yaml';
import { isJsonObject } from '../../src/domain/json-value.js';
import type { RulePosition } from '../../src/domain/permission/policy/rule-position.js';
import type { PolicyDocument } from '../../src/infrastructure/policy/schema/policy-document.js';

type Plain = Record<string, unknown>;

const ENTRY = /`((?:tools|sandboxes): \{.*?\})`/;
const EXCEPTION = /`except: (\[.*?\])`/;

/** What a hint asks a person to write, put into the policy; undefined where it recommends nothing. */
export function followHint(
  yaml: string,
  hint: string,
  rule: RulePosition | undefined,
  inherited: PolicyDocument,
): string | undefined {
  const entry = ENTRY.exec(hint)?.[1];
  const isOneRule = hint.includes('where one rule asks') && rule?.file === '/policy.yaml';
  if (isOneRule) return withoutConsent(yaml, rule);
  if (entry !== undefined) return withEntry(yaml, entry, inherited);
  const exception = EXCEPTION.exec(hint)?.[1];
  if (exception !== undefined && rule !== undefined) return withException(yaml, JSON.parse(exception), rule);
  return undefined;
}

/** Lists gain the entries beside what they have; a list that is inherited is written out first. */
export function withEntry(yaml: string, entry: string, inherited: PolicyDocument): string {
  const policy: unknown = parse(yaml);
  const wanted: unknown = parse(entry);
  if (!isJsonObject(policy) || !isJsonObject(wanted)) throw new Error(`no entry: ${entry}`);
  const whole = withInherited(policy, wanted, inherited);
  return stringify(merge(whole, wanted));
}

function withInherited(policy: Plain, wanted: Plain, { tools = {} }: PolicyDocument): Plain {
  const missing: Plain = {};
  for (const [tool, keys] of Object.entries(isJsonObject(wanted.tools) ? wanted.tools : {})) {
    const own = isJsonObject(policy.tools) && isJsonObject(policy.tools[tool]) ? policy.tools[tool] : {};
    const lists: Plain = {};
    const { allowed_paths: paths, allowed_commands: commands } = tools[tool] ?? {};
    const asked = isJsonObject(keys) ? keys : {};
    if ('allowed_paths' in asked && !('allowed_paths' in own) && paths)
      lists.allowed_paths = paths.map(({ path }) => path);
    if ('allowed_commands' in asked && !('allowed_commands' in own) && commands)
      lists.allowed_commands = commands.map(({ command }) => ({ command }));
    missing[tool] = lists;
  }
  const merged = merge({ tools: missing }, policy);
  return isJsonObject(merged) ? { ...merged } : policy;
}

function merge(first: unknown, second: unknown): unknown {
  if (Array.isArray(first) && Array.isArray(second)) return [...first, ...second];
  if (!isJsonObject(first) || !isJsonObject(second)) return second;
  const merged: Plain = { ...first };
  for (const [key, value] of Object.entries(second)) {
    merged[key] = key in merged ? merge(merged[key], value) : value;
  }
  return merged;
}

/** The value that stands at a rule's line and column, exchanged for another. */
function exchange(yaml: string, { line, column }: RulePosition, change: (value: unknown) => unknown): string {
  const lines = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: lines });
  let isDone = false;
  visit(document, {
    Node: (_key, node) => {
      const at = node.range && lines.linePos(node.range[0]);
      if (isDone || at?.line !== line || at.col !== column) return undefined;
      if (!isScalar(node) && !isMap(node)) return undefined;
      isDone = true;
      const next = change(node.toJS(document));
      return next === undefined ? visit.REMOVE : document.createNode(next);
    },
  });
  if (!isDone) throw new Error(`nothing stands at ${line}:${column}`);
  return document.toString();
}

/** The rule at a line and column, taken out of its list. */
export function withoutRule(yaml: string, rule: RulePosition): string {
  return exchange(yaml, rule, () => undefined);
}

function withException(yaml: string, exception: readonly unknown[], rule: RulePosition): string {
  const isCommand = exception.some(Array.isArray);
  return exchange(yaml, rule, (value) => {
    const map = isJsonObject(value) ? value : isCommand ? { command: value } : { path: value };
    const before = Array.isArray(map.except) ? map.except : [];
    return { ...map, except: [...before, ...exception] };
  });
}

/** consent stands in the map of a rule, or in the entry of a tool, where it may hide an inherited one. */
function withoutConsent(yaml: string, rule: RulePosition): string {
  const lines = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: lines });
  visit(document, {
    Map: (_key, map) => {
      const consent = map.get('consent', true);
      const at =
        isScalar(consent) || isMap(consent) ? consent.range && lines.linePos(consent.range[0]) : undefined;
      if (at?.line !== rule.line || at.col !== rule.column) return;
      if (!map.has('command') && !map.has('path')) map.set('consent', 'never');
      else for (const key of ['consent', 'remember']) map.delete(key);
    },
  });
  return document.toString();
}
