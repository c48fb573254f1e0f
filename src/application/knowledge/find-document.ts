import { inject, injectable } from 'inversify';
import { addressed, parseAddress, sectionText } from '../../domain/knowledge/document/document-address.js';
import { nearestNames } from '../../domain/nearest-names.js';
import { Result } from '../../domain/result.js';
import { executionFailed, type ToolError, toolFailure } from '../../domain/tool/tool-error.js';
import {
  type DocumentContent,
  DocumentLibrary,
  type LibraryDocument,
} from '../ports/knowledge/document-library.js';
import { KnowledgeSettings } from './knowledge-settings.js';

export interface FoundDocument {
  readonly document: LibraryDocument;
  /** As requested, in lower case. */
  readonly anchor?: string;
}

const MAX_ADDRESS = 1000;
const MAX_SHOWN = 8;

/** Finds one document by URI, path, name or number, each with or without `#anchor`. */
@injectable()
export class FindDocument {
  constructor(
    @inject(DocumentLibrary) private readonly library: DocumentLibrary,
    @inject(KnowledgeSettings) private readonly settings: KnowledgeSettings,
  ) {}

  /** undefined: it matches nothing. A failure: it matches several. */
  async handle(text: string): Promise<Result<FoundDocument, ToolError> | undefined> {
    if (text.length > MAX_ADDRESS) return undefined;
    const documents: LibraryDocument[] = [];
    for (const category of this.settings.categories) {
      const listed = await this.library.list(category);
      if (listed.success) documents.push(...listed.value);
    }
    // A name may contain a "#".
    const whole = addressed({ target: text.trim() }, documents);
    const address = whole.length > 0 ? { target: text.trim() } : parseAddress(text);
    const found = whole.length > 0 ? whole : addressed(address, documents);
    const [document] = found;
    if (document === undefined) return undefined;
    if (found.length > 1) {
      const names = found.slice(0, MAX_SHOWN).map(({ uri, shownPath }) => uri ?? shownPath);
      const message = `"${text.slice(0, 100)}" may be ${names.join(' or ')}. Ask with one of these.`;
      return toolFailure(executionFailed(message, { type: 'AmbiguousNameError' }));
    }
    return Result.ok({ document, ...(address.anchor !== undefined && { anchor: address.anchor }) });
  }
}

/** The section that an anchor names; the message lists the existing ones. */
export function sectionOf(
  { text, outline }: DocumentContent,
  anchor: string | undefined,
  shownPath: string,
): Result<string> {
  if (anchor === undefined || anchor === '') return Result.ok(text);
  const section = sectionText(text, outline.sections, anchor);
  if (section !== undefined) return Result.ok(section.text);
  const anchors = outline.sections.map((each) => each.anchor).filter((each) => each !== '');
  const near = nearestNames(anchor, anchors);
  const hint = near.length > 0 ? `Did you mean #${near.join(' or #')}?` : `It has ${shown(anchors)}.`;
  return Result.failure(`${shownPath} has no section "#${anchor.slice(0, 100)}". ${hint}`, 'NotFoundError');
}

function shown(anchors: readonly string[]): string {
  if (anchors.length === 0) return 'no headings';
  return anchors
    .slice(0, MAX_SHOWN)
    .map((anchor) => `#${anchor}`)
    .join(', ');
}
