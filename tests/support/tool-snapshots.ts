import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolDefinition } from '../../src/application/tool/tool-definition.js';
import { type ChangeKind, classifyChange, dueVersion, isAtLeast } from './schema-change.js';

const FOLDER = join(import.meta.dirname, '..', 'snapshots', 'tools');

export interface ToolSnapshot {
  readonly name: string;
  readonly version: string;
  /** The package's version when the snapshot was taken: a tool's major bump demands the package's. */
  readonly package: string;
  readonly input: unknown;
  readonly output: unknown;
  readonly effects: unknown;
}

export function snapshotOf(definition: ToolDefinition, packageVersion: string): ToolSnapshot {
  const { name, version, input, output = null, effects } = definition;
  return JSON.parse(JSON.stringify({ name, version, package: packageVersion, input, output, effects }));
}

/** undefined where everything is as committed; otherwise what is wrong and what to do about it. */
export function checkSnapshot(committed: ToolSnapshot | undefined, now: ToolSnapshot): string | undefined {
  if (committed === undefined)
    return `${now.name} has no snapshot. Run the tests with UPDATE_SNAPSHOTS=1 and review it.`;
  const input = classifyChange(committed.input, now.input, 'input');
  const output = classifyChange(committed.output, now.output, 'output');
  const kinds: readonly ChangeKind[] = [input.kind, output.kind];
  const kind = kinds.includes('breaking') ? 'breaking' : kinds.includes('additive') ? 'additive' : 'none';
  const due = dueVersion(committed.version, kind);
  if (!isAtLeast(now.version, due)) {
    return (
      `${now.name} changed in a way that is ${kind} (${[...input.what, ...output.what].join('; ')}): ` +
      `raise its version from ${committed.version} to ${due}, then run the tests with UPDATE_SNAPSHOTS=1.`
    );
  }
  if (major(now.version) > major(committed.version) && major(now.package) <= major(committed.package)) {
    return `${now.name} went to ${now.version}, a major bump: the package needs one too (it is ${now.package}).`;
  }
  return undefined;
}

/** Compares with the committed file; with UPDATE_SNAPSHOTS=1 writes it where the bump is honest. */
export function keepSnapshot(now: ToolSnapshot): string | undefined {
  const file = join(FOLDER, `${now.name}.json`);
  const committed: ToolSnapshot | undefined = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : undefined;
  const updating = process.env.UPDATE_SNAPSHOTS === '1';
  const problem = updating && committed === undefined ? undefined : checkSnapshot(committed, now);
  if (problem !== undefined) return problem;
  const text = `${JSON.stringify(now, undefined, 2)}\n`;
  if (updating) {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(file, text);
    return undefined;
  }
  const same = JSON.stringify({ ...committed, package: now.package }) === JSON.stringify(now);
  return same
    ? undefined
    : `${now.name} differs from its snapshot. Run the tests with UPDATE_SNAPSHOTS=1 and review it.`;
}

function major(version: string): number {
  return Number(version.split('.')[0]);
}
