import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { FileProblem } from '../../domain/file-problem.js';
import { parseContentExpression } from '../../domain/knowledge/document/content-expression.js';
import { normaliseToolName } from '../../domain/tool/tool-name.js';
import { errnoOf } from '../state/errno.js';
import { didYouMean } from './did-you-mean.js';
import { member, type TreePosition, type YamlEntry, type YamlTree } from './yaml-tree.js';

/** What settings may name. */
export interface SettingsSubject {
  readonly file: string;
  readonly workspace: string;
  readonly tools: readonly { readonly name: string; readonly category: string }[];
}

type Report = (at: TreePosition, message: string, hint?: string) => void;

/** Settings that load and name nothing: tools, categories and folders that are not there. */
export function lintSettings(tree: YamlTree, subject: SettingsSubject): readonly FileProblem[] {
  const found: FileProblem[] = [];
  const report: Report = (at, message, hint) =>
    found.push({ file: subject.file, ...at, message, ...(hint !== undefined && { hint }) });
  lintTools(member(tree, 'tools'), subject, report);
  const categories = entriesOf(member(tree, 'categories'));
  for (const { key, value } of categories) lintFolder(value, `categories.${key}.dir`, subject, report);
  lintFolder(member(tree, 'prompts'), 'prompts.dir', subject, report);
  lintCollections(tree, categories, report);
  return found.sort((first, second) => first.line - second.line || first.column - second.column);
}

function lintTools(tools: YamlTree | undefined, { tools: known }: SettingsSubject, report: Report): void {
  const names = known.map(({ name }) => name);
  const normal = new Set(names.map(normaliseToolName));
  const categories = [...new Set(known.map(({ category }) => category))];
  for (const list of ['include', 'exclude']) {
    for (const { text, at } of textsOf(member(tools, list))) {
      if (categories.includes(text) || normal.has(normaliseToolName(text))) continue;
      const message = `tools.${list} names ${text}, which is neither a tool nor a category of tools.`;
      report(at, message, didYouMean(text, [...names, ...categories]));
    }
  }
  for (const { key, at } of entriesOf(member(tools, 'enabled_by'))) {
    if (normal.has(normaliseToolName(key))) continue;
    report(at, `tools.enabled_by names ${key}, which is not a tool.`, didYouMean(key, names));
  }
}

function lintCollections(tree: YamlTree, categories: readonly YamlEntry[], report: Report): void {
  const collections = entriesOf(member(tree, 'collections'));
  const known = [...categories, ...collections].map(({ key }) => key);
  for (const { key, value } of collections) {
    for (const { text, at } of textsOf(value)) {
      const parts = parseContentExpression(text);
      for (const { name } of parts.success ? parts.value : []) {
        if (known.includes(name)) continue;
        const message = `collections.${key} names ${name}, which is neither a category nor a collection.`;
        report(at, message, didYouMean(name, known));
      }
    }
  }
}

function lintFolder(
  owner: YamlTree | undefined,
  key: string,
  subject: SettingsSubject,
  report: Report,
): void {
  const dir = member(owner, 'dir');
  if (dir?.kind !== 'scalar' || typeof dir.value !== 'string') return;
  const folder = resolve(subject.workspace, dir.value);
  const kind = kindOf(folder);
  if (kind === 'folder') return;
  if (kind === 'missing') {
    const hint = nearestFolder(dir.value, folder) ?? 'Make it, or name another.';
    report(dir.at, `${key} names ${dir.value}, and there is no such folder.`, hint);
  } else report(dir.at, `${key} names ${dir.value}, which is ${kind}.`, 'Name a folder.');
}

function kindOf(path: string): string {
  try {
    const status = statSync(path, { throwIfNoEntry: false });
    if (status === undefined) return 'missing';
    return status.isDirectory() ? 'folder' : 'no folder';
  } catch (error) {
    const why = errnoOf(error) ?? error;
    return `a folder that cannot be read (${why})`;
  }
}

function nearestFolder(shown: string, folder: string): string | undefined {
  try {
    const beside = readdirSync(dirname(folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(dirname(shown), name));
    return didYouMean(join(dirname(shown), basename(folder)), beside);
  } catch {
    // The folder above is not there either: there is nothing that could have been meant.
    return undefined;
  }
}

function entriesOf(tree: YamlTree | undefined): readonly YamlEntry[] {
  return tree?.kind === 'map' ? tree.entries : [];
}

function textsOf(
  tree: YamlTree | undefined,
): readonly { readonly text: string; readonly at: TreePosition }[] {
  if (tree?.kind !== 'list') return [];
  return tree.items.flatMap((item) =>
    item.kind === 'scalar' && typeof item.value === 'string' ? [{ text: item.value, at: item.at }] : [],
  );
}
