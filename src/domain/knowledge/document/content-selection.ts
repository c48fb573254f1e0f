import { nearestNames } from '../../nearest-names.js';
import { Result } from '../../result.js';
import type { Category, Collections } from './category.js';
import { type ContentPart, parseContentExpression } from './content-expression.js';

/** Documents of one category that match any of the patterns. */
export interface Selection {
  readonly category: Category;
  readonly patterns: readonly string[];
  /** False for the category's own patterns, which are not retried with an extension. */
  readonly explicit: boolean;
}

export interface KnowledgeNames {
  readonly categories: readonly Category[];
  readonly collections: Collections;
}

/**
 * Resolves the parts of an expression. A name is a collection first, then a category; a collection inside
 * itself is skipped. The patterns of a part override those of a collection's members, which override the
 * category's own.
 */
export function selectContent(
  parts: readonly ContentPart[],
  names: KnowledgeNames,
  opened: readonly string[] = [],
): Result<readonly Selection[]> {
  const selections: Selection[] = [];
  for (const part of parts) {
    const found = selectPart(part, names, opened);
    if (!found.success) return found;
    selections.push(...found.value);
  }
  return Result.ok(selections);
}

function selectPart(
  part: ContentPart,
  names: KnowledgeNames,
  opened: readonly string[],
): Result<readonly Selection[]> {
  const members = Object.hasOwn(names.collections, part.name) ? names.collections[part.name] : undefined;
  const circular = opened.includes(part.name);
  if (members !== undefined && !circular) return selectMembers(part, members, names, opened);
  const category = names.categories.find(({ name }) => name === part.name);
  if (category !== undefined) {
    const explicit = part.patterns.length > 0;
    return Result.ok([{ category, patterns: explicit ? part.patterns : category.patterns, explicit }]);
  }
  return circular ? Result.ok([]) : Result.failure(unknownName(part.name, names, opened), 'NotFoundError');
}

function selectMembers(
  part: ContentPart,
  members: readonly string[],
  names: KnowledgeNames,
  opened: readonly string[],
): Result<readonly Selection[]> {
  const parts: ContentPart[] = [];
  for (const member of members) {
    const parsed = parseContentExpression(member);
    if (!parsed.success) {
      return Result.failure(`The collection ${part.name} is wrong: ${parsed.error}`, 'InvalidExpression');
    }
    parts.push(...parsed.value);
  }
  const inner =
    part.patterns.length === 0 ? parts : parts.map((each) => ({ ...each, patterns: part.patterns }));
  return selectContent(inner, names, [...opened, part.name]);
}

function unknownName(name: string, { categories, collections }: KnowledgeNames, opened: readonly string[]) {
  const known = [...Object.keys(collections), ...categories.map((category) => category.name)];
  const near = nearestNames(name, known);
  const where = opened.length === 0 ? '' : `, which the collection ${opened.at(-1)} names`;
  const hint =
    near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `There are: ${known.join(', ') || 'none'}.`;
  return `There is no category or collection "${name.slice(0, 100)}"${where}. ${hint}`;
}
