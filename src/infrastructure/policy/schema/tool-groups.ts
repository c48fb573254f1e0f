import type { Reading } from '../../config/yaml-shape.js';
import type { GroupEntries, GroupEntry, PolicyDocument, ToolEntry } from './policy-document.js';

/** Entries below `tools:` that are no tools: they bind every tool and command that reads, or changes, files. */
export const GROUP_NAMES: readonly string[] = ['files.read', 'files.write'];

/** Takes the groups out of the tools. */
export function withGroups(document: PolicyDocument, reading: Reading): PolicyDocument {
  const { tools } = document;
  if (tools === undefined || !GROUP_NAMES.some((name) => Object.hasOwn(tools, name))) return document;
  const { 'files.read': read, 'files.write': write, ...others } = tools;
  const groups: GroupEntries = {
    ...(read && { read: toGroup('files.read', read, reading) }),
    ...(write && { write: toGroup('files.write', write, reading) }),
  };
  return { ...document, tools: others, groups };
}

function toGroup(name: string, entry: ToolEntry, reading: Reading): GroupEntry {
  const { allowed_paths, denied_paths, at, ...rest } = entry;
  const keys = Object.keys(rest);
  if (keys.length > 0) {
    const message = `${name} is not a tool: ${keys.join(', ')} would have no effect there.`;
    reading.report(at, message, 'It takes allowed_paths and denied_paths; put the rest at the tools.');
  } else if (allowed_paths === undefined && denied_paths === undefined) {
    const hint = `Write ${name}: { allowed_paths: [./output] }, or denied_paths.`;
    reading.report(at, `${name} says nothing, so it has no effect.`, hint);
  }
  const asking = allowed_paths?.find(({ consent }) => consent !== undefined);
  if (asking !== undefined) {
    const message = `${name} grants nothing, so consent at one of its paths has no effect.`;
    reading.report(asking.at, message, 'Put consent at the tools that should ask.');
  }
  return { ...(allowed_paths && { allowed_paths }), ...(denied_paths && { denied_paths }), at };
}
