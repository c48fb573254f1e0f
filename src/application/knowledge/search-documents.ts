import { inject, injectable } from 'inversify';
import { BoundedMap } from '../../domain/bounded-map.js';
import type { AdrStatus } from '../../domain/knowledge/adr/adr-status.js';
import type { CategoryKind } from '../../domain/knowledge/document/category.js';
import { nearestNames } from '../../domain/nearest-names.js';
import { Result } from '../../domain/result.js';
import { executionFailed, type ToolError, toolFailure } from '../../domain/tool/tool-error.js';
import { DocumentLibrary } from '../ports/knowledge/document-library.js';
import { DocumentSearch, type SearchHit } from '../ports/knowledge/document-search.js';
import { Clock } from '../ports/system/clock.js';
import { cursorAt, offsetOf } from '../tool/page-cursor.js';
import { KnowledgeSettings } from './knowledge-settings.js';
import { ProjectDecisions } from './project-decisions.js';

export interface SearchDocumentsQuery {
  readonly query: string;
  readonly resource_type?: CategoryKind | 'all';
  /** The name of a category. */
  readonly category?: string;
  /** Only ADRs with this status. */
  readonly status?: AdrStatus;
  readonly max_results?: number;
  readonly cursor?: string;
}

export interface FoundSection {
  readonly uri: string;
  readonly title: string;
  readonly resource_type: CategoryKind;
  readonly relevance_score: number;
  readonly excerpt: string;
  /** The headings that lead to it, outermost first, separated by " > ". */
  readonly heading: string;
  readonly line: number;
  readonly anchor: string;
  /** For ADRs: the normalised status. */
  readonly status?: AdrStatus;
}

export interface SearchReport {
  readonly results: readonly FoundSection[];
  readonly total_matches: number;
}

interface Found {
  readonly report: SearchReport;
  readonly cursor?: string;
}

interface Remembered extends Found {
  readonly until: number;
  readonly generation: number;
}

const DEFAULT_RESULTS = 10;
const LIFETIME_MS = 60_000;
const MAX_REMEMBERED = 200;
/** Nobody pages further; a larger offset is not from one of our cursors. */
const MAX_OFFSET = 500;

/**
 * Finds the sections of documents that answer a query. Results are cached for a while, or until a document
 * changes.
 */
@injectable()
export class SearchDocumentsHandler {
  readonly #remembered = new BoundedMap<string, Remembered>(MAX_REMEMBERED);

  constructor(
    @inject(DocumentSearch) private readonly search: DocumentSearch,
    @inject(DocumentLibrary) private readonly library: DocumentLibrary,
    @inject(Clock) private readonly clock: Clock,
    @inject(KnowledgeSettings) private readonly settings: KnowledgeSettings,
    @inject(ProjectDecisions) private readonly decisions: ProjectDecisions,
  ) {}

  async handle(query: SearchDocumentsQuery): Promise<Result<SearchReport, ToolError>> {
    const { max_results = DEFAULT_RESULTS, category } = query;
    if (category !== undefined && !this.settings.categories.some(({ name }) => name === category))
      return unknownCategory(category, this.settings);
    const offset = offsetOf(query.cursor);
    if (!offset.success) return toolFailure(executionFailed(offset.error, { type: 'InvalidCursor' }));
    const key = JSON.stringify([
      query.query,
      query.resource_type,
      category,
      query.status,
      offset.value,
      max_results,
    ]);
    const known = this.#remembered.get(key);
    if (
      known !== undefined &&
      known.until > this.clock.elapsed() &&
      known.generation === this.search.generation
    ) {
      return this.#answer(known);
    }
    const remembered = await this.#find(query, Math.min(offset.value, MAX_OFFSET), max_results);
    this.#remember(key, remembered);
    return this.#answer(remembered);
  }

  async #find(query: SearchDocumentsQuery, offset: number, most: number): Promise<Found> {
    const { resource_type: kind = 'all', category, status } = query;
    const records = this.decisions.areThere ? await this.decisions.understood() : undefined;
    const statusOf = (uri: string | undefined) => {
      const record = uri === undefined ? undefined : records?.positions.get(uri)?.record;
      return record && records?.statusOf(record);
    };
    const filter = {
      ...(kind !== 'all' && { kind }),
      ...(category !== undefined && { category }),
      ...(status !== undefined && {
        uris: new Set([...(records?.positions.keys() ?? [])].filter((uri) => statusOf(uri) === status)),
      }),
    };
    const { hits, total } = await this.search.search(query.query, filter, offset + most);
    const results = hits.slice(offset).map((hit) => toFoundSection(hit, statusOf(hit.document.uri)));
    const next = offset + results.length;
    const isMore = results.length === most && next < Math.min(total, MAX_OFFSET);
    return { report: { results, total_matches: total }, ...(isMore && { cursor: cursorAt(next) }) };
  }

  #remember(key: string, found: Found): void {
    const until = this.clock.elapsed() + LIFETIME_MS;
    this.#remembered.set(key, { ...found, until, generation: this.search.generation });
  }

  #answer({ report, cursor }: Found): Result<SearchReport, ToolError> {
    const page = cursor && { page: { truncated: true, next_cursor: cursor, total: report.total_matches } };
    const problems = this.library.problems();
    const [first] = problems;
    if (first === undefined) return Result.ok(report, page || undefined);
    const message = `${problems.length} files could not be read or only in part, such as ${first.path}: ${first.problem}`;
    return Result.ok(report, { message, ...page });
  }
}

function toFoundSection(
  { document, title, score, section, excerpt }: SearchHit,
  status: AdrStatus | undefined,
): FoundSection {
  return {
    uri: document.uri ?? document.shownPath,
    title,
    resource_type: document.category.kind,
    relevance_score: Math.round(score * 10_000) / 10_000,
    excerpt,
    heading: section?.path.join(' > ') ?? '',
    line: section?.line ?? 1,
    anchor: section?.anchor ?? '',
    ...(status !== undefined && { status }),
  };
}

function unknownCategory(wanted: string, { categories }: KnowledgeSettings) {
  const names = categories.map(({ name }) => name);
  const near = nearestNames(wanted, names);
  const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `There are: ${names.join(', ')}.`;
  const message = `There is no category "${wanted.slice(0, 100)}". ${hint}`;
  return toolFailure(executionFailed(message, { type: 'NotFoundError' }));
}
