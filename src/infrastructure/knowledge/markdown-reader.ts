import type { DocumentContent } from '../../application/ports/knowledge/document-library.js';
import { outlineOf } from '../../domain/knowledge/document/document-outline.js';
import { titleFromPath, titleSection } from '../../domain/knowledge/document/document-title.js';
import { readFrontMatter } from './front-matter.js';

export interface ReadDocument {
  readonly content: DocumentContent;
  /** Problems that do not make it unreadable. */
  readonly problems: readonly string[];
}

const MAX_TITLE = 300;

/** Parses a document: front matter, title, sections with their positions. */
export async function readMarkdown(path: string, text: string): Promise<ReadDocument> {
  const outline = outlineOf(text);
  const front = outline.frontMatter === undefined ? undefined : await readFrontMatter(outline.frontMatter);
  const frontMatter = front?.success ? front.value : {};
  const problems: string[] = [];
  if (front?.success === false) problems.push(front.error);
  if (outline.cut) problems.push('It has more headings than are kept; the last section holds the rest.');
  const title = textOf(frontMatter.title) || titleSection(outline.sections)?.heading || titleFromPath(path);
  const frontMatterProblem = front?.success === false ? front.error : undefined;
  return {
    content: {
      text,
      title: title.slice(0, MAX_TITLE),
      frontMatter,
      ...(frontMatterProblem !== undefined && { frontMatterProblem }),
      outline,
    },
    problems,
  };
}

/** The topics named in the front matter, for searching. */
export function keywordsOf({ frontMatter }: DocumentContent): string {
  return [frontMatter.description, frontMatter.summary, frontMatter.tags, frontMatter.keywords]
    .flat()
    .map(textOf)
    .join(' ');
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}
