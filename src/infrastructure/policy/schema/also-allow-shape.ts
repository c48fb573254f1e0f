import { isJsonObject } from '../../../domain/json-value.js';
import { setOf } from '../../config/distinct-list-shape.js';
import {
  described,
  type JsonSchema,
  type Reading,
  record,
  type Shape,
  text,
  wrongKind,
} from '../../config/yaml-shape.js';
import type { YamlTree } from '../../config/yaml-tree.js';
import { allowedCommandRule } from './command-rule-shapes.js';
import { hostName } from './host-shape.js';
import type { AddedPermission, Named } from './policy-document.js';
import { allowedPathRule } from './rule-shapes.js';
import { variable } from './settings-shapes.js';

type MapTree = Extract<YamlTree, { kind: 'map' }>;

/** The kinds of permission, by the key that says which one it is. */
const KINDS = ['path', 'command', 'host', 'env'] as const;
type Kind = (typeof KINDS)[number];

const WANTS = 'one permission, such as { tool: read_file, path: .env }';

const toolName = described('A tool, files.read or files.write.', text);
const alone = record<{ tool?: string }>(WANTS, { tool: toolName }, ['tool']);
const withHost = record<{ tool?: string; host?: Named }>(WANTS, { tool: toolName, host: hostName });
const withVariable = record<{ tool?: string; env?: string }>(WANTS, { tool: toolName, env: variable });

/** One permission that is added to what the tool may do already. */
const addedPermission: Shape<AddedPermission> = {
  wants: WANTS,
  schema: {
    anyOf: [
      alone.schema,
      withTool(allowedPathRule.schema),
      withTool(allowedCommandRule.schema),
      withHost.schema,
      withVariable.schema,
    ],
  },
  read: (tree, reading) => {
    if (tree.kind !== 'map') return wrongKind(addedPermission, tree, reading);
    const tool = tree.entries.find(({ key }) => key === 'tool');
    if (tool === undefined) return reading.report(tree.at, 'The key "tool" is missing.', `Write ${WANTS}.`);
    const name = toolName.read(tool.value, reading);
    const kinds = KINDS.filter((kind) => tree.entries.some(({ key }) => key === kind));
    if (kinds.length > 1) {
      const hint = 'Write one entry for each.';
      return reading.report(tree.at, `${kinds.join(' and ')} stand in one entry of also_allow.`, hint);
    }
    const part = readKind(kinds[0], tree, reading);
    return name === undefined || part === undefined
      ? undefined
      : { tool: name, ...part, at: reading.position(tree.at) };
  },
};

function readKind(
  kind: Kind | undefined,
  tree: MapTree,
  reading: Reading,
): Omit<AddedPermission, 'tool' | 'at'> | undefined {
  const rest: MapTree = { ...tree, entries: tree.entries.filter(({ key }) => key !== 'tool') };
  switch (kind) {
    case undefined:
      return alone.read(tree, reading) && {};
    case 'path': {
      const path = allowedPathRule.read(rest, reading);
      return path && { path };
    }
    case 'command': {
      const command = allowedCommandRule.read(rest, reading);
      return command && { command };
    }
    case 'host': {
      const host = withHost.read(tree, reading)?.host;
      return host && { host };
    }
    case 'env': {
      const env = withVariable.read(tree, reading)?.env;
      return env === undefined ? undefined : { env };
    }
  }
}

/** The schema of a rule's map, with the tool beside its keys. */
function withTool(rule: JsonSchema): JsonSchema {
  const keys = isJsonObject(rule.properties) ? rule.properties : {};
  const required = Array.isArray(rule.required) ? rule.required : [];
  return { ...rule, properties: { tool: toolName.schema, ...keys }, required: ['tool', ...required] };
}

const list = setOf(addedPermission);

/** `also_allow:` with nothing below it is a place for lines to come. */
export const addedPermissions: Shape<readonly AddedPermission[]> = {
  ...list,
  schema: {
    description: 'Single permissions beside what the lists of tools have, in this file or in one it extends.',
    ...list.schema,
    type: ['array', 'null'],
  },
  read: (tree, reading) => (tree.kind === 'scalar' && tree.value === null ? [] : list.read(tree, reading)),
};
