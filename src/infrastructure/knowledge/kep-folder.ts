import type { DocumentContent } from '../../application/ports/knowledge/document-library.js';
import { readFrontMatter } from './front-matter.js';

const README = /^((?:[^/]+\/)+)readme\.md$/i;
const METADATA = /^((?:[^/]+\/)+)kep\.yaml$/;

/**
 * The file with the metadata of a document in a directory of its own: Kubernetes keeps status and title
 * there.
 */
export function metadataBeside(path: string): string | undefined {
  const folder = README.exec(path)?.[1];
  return folder === undefined ? undefined : `${folder}kep.yaml`;
}

/** The document that this file describes. */
export function describedBy(path: string, paths: Iterable<string>): string | undefined {
  const folder = METADATA.exec(path)?.[1];
  if (folder === undefined) return undefined;
  for (const other of paths) if (README.exec(other)?.[1] === folder) return other;
  return undefined;
}

/** The document's own values win. */
export async function withMetadata(content: DocumentContent, yaml: string): Promise<DocumentContent> {
  const metadata = await readFrontMatter(yaml);
  if (!metadata.success) return { ...content, frontMatterProblem: `kep.yaml: ${metadata.error}` };
  return { ...content, frontMatter: { ...metadata.value, ...content.frontMatter } };
}
