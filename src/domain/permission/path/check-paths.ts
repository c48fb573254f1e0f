import { normaliseToolName } from '../../tool/tool-name.js';
import type { ConsentTerms } from '../consent/consent.js';
import { type Denial, deny } from '../policy/decision.js';
import type { PolicyLayer, ToolRules } from '../policy/policy-layer.js';
import type { RulePosition } from '../policy/rule-position.js';
import { type Access, checkBound, foldersOf, hidesFolderEntry, isBeyond } from './path-bounds.js';
import type { PathRule } from './path-rules.js';

const READER = normaliseToolName('read_file');

const ELSEWHERE = 'Work on another path; explain_permission tells which kind of rule decides.';

/** Finds the built-in denies: server files, secrets and protected files that no entry names. */
export function findBuiltinDeny(
  layer: PolicyLayer,
  tool: ToolRules,
  access: Access,
  path: string,
): PathRule | undefined {
  const { builtin } = layer;
  const never = builtin.never.find(path);
  if (never !== undefined) return never;
  if (access === 'write') {
    const fixed = builtin.neverWritten.find(path);
    if (fixed !== undefined) return fixed;
    const rule = builtin.protected.find(path);
    return rule !== undefined && !tool.namedProtected.covers(path) ? rule : undefined;
  }
  const rule = builtin.secrets.find(path) ?? builtin.credentialConfigs.find(path);
  return rule !== undefined && !tool.namedSecrets.covers(path) ? rule : undefined;
}

/**
 * Returns a function that tells whether a name in this directory is denied to a reading tool. It combines the
 * two look-ups below.
 */
export function readDeniesIn(layer: PolicyLayer, tool: ToolRules, folder: string): (name: string) => boolean {
  const { never, secrets, credentialConfigs } = layer.builtin;
  const hides = never.coversIn(folder);
  const denies = tool.deniedPaths.coversIn(folder);
  const reaches = layer.hiddenPaths.coversIn(folder);
  const keeps = secrets.coversIn(folder);
  const credentials = credentialConfigs.coversIn(folder);
  const named = tool.namedSecrets.coversIn(folder);
  return (name) =>
    hides(name) || denies(name) || reaches(name) || ((keeps(name) || credentials(name)) && !named(name));
}

/**
 * The denies that apply to everything that reveals files, for a view without a tool; an exception must be
 * read_file's.
 */
export function hiddenIn(layer: PolicyLayer, folder: string): (name: string) => boolean {
  const { never, secrets, credentialConfigs } = layer.builtin;
  const lists = [never, layer.hiddenPaths].map((list) => list.coversIn(folder));
  const guarded = [secrets, credentialConfigs].map((list) => list.coversIn(folder));
  const named = layer.tools.get(READER)?.namedSecrets.coversIn(folder);
  const beyond = hidesFolderEntry(layer.bounds, folder);
  return (name) =>
    beyond(name) ||
    lists.some((covers) => covers(name)) ||
    (guarded.some((covers) => covers(name)) && named?.(name) !== true);
}

/** The denies that apply to everything that changes files. */
export function isUnchangeable(layer: PolicyLayer, path: string): boolean {
  const { never, neverWritten } = layer.builtin;
  return (
    isBeyond(layer.bounds, 'write', path) ||
    [never, neverWritten, layer.unchangeablePaths].some((list) => list.covers(path))
  );
}

/** The tool's own denies, and those of read_file or write_file that apply to it. */
export function findPathDeny(
  layer: PolicyLayer,
  tool: ToolRules,
  access: Access,
  path: string,
): PathRule | undefined {
  const reaching = access === 'read' ? layer.hiddenPaths : layer.unchangeablePaths;
  return tool.deniedPaths.find(path) ?? reaching.find(path);
}

export function checkBuiltinPath(
  layer: PolicyLayer,
  tool: ToolRules,
  access: Access,
  path: string,
): Denial | undefined {
  const rule = findBuiltinDeny(layer, tool, access, path);
  if (rule === undefined) return undefined;
  const verb = access === 'read' ? 'read' : 'written';
  const { never, neverWritten } = layer.builtin;
  const isFinal = never.covers(path) || neverWritten.covers(path);
  const denial = deny(
    'PROTECTED',
    { kind: 'path', text: path },
    `${path} is not ${verb}: ${rule.at.why ?? 'it is protected'} (${rule.pattern}).`,
    `This file is protected and is not ${verb} by tools.${isFinal ? ' No policy opens it. Work on another path.' : ''}`,
    rule.at,
  );
  return isFinal ? { ...denial, isFinal } : denial;
}

export function checkDeniedPath(
  layer: PolicyLayer,
  tool: ToolRules,
  access: Access,
  path: string,
): Denial | undefined {
  const rule = findPathDeny(layer, tool, access, path);
  if (rule === undefined) return undefined;
  return deny(
    'DENIED_PATH',
    { kind: 'path', text: path },
    `${path} is denied by ${rule.pattern}.`,
    `The policy denies this path, and a deny wins over every allow. ${ELSEWHERE} Only the user can lift it, at the rule that castellan policy explain names.`,
    rule.at,
  );
}

export interface Grant {
  readonly rule: RulePosition;
  readonly consents: readonly ConsentTerms[];
}

export function checkAllowedPath(
  layer: PolicyLayer,
  tool: ToolRules,
  access: Access,
  path: string,
): Grant | Denial {
  const beyond = checkBound(layer, access, path);
  if (beyond !== undefined) return beyond;
  const rules = tool.allowedPaths.findAll(path);
  const [first] = rules;
  if (first === undefined) {
    return deny(
      'NO_ALLOW',
      { kind: 'path', text: path },
      `Nothing in allowed_paths of ${tool.tool} covers ${path}.`,
      `The policy lets ${tool.tool} use files ${foldersOf(tool.allowedPaths, layer.workspace)}, and this path is not there.`,
      tool.at,
    );
  }
  return { rule: first.at, consents: rules.flatMap((rule) => rule.consent ?? []) };
}
