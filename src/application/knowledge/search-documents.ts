import { inject, injectable } from 'inversify';
import type { CategoryKind } from '../../domain/knowledge/document/category.js';
import { Result } from '../../domain/result.js';
import type { ToolError } from '../../domain/tool/tool-error.js';
import { DocumentLibrary } from '../ports/knowledge/document-library.js';
import { DocumentSearch, type SearchHit } from '../ports/knowledge/document-search.js';
import { Clock } from '../ports/system/clock.js';

export interface SearchDocumentsQuery {
  readonly query: string;
  readonly resource_type?: CategoryKind | 'all';
  readonly max_results?: number;
}

export interface FoundSection {
  readonly uri: string;
  readonly title: string;
  readonly resource_type: CategoryKind;
  readonly relevance_score: number;
  readonly excerpt: string;
  /** The headings that lead to it, outermost first, divided by " > ". */
  readonly heading: string;
  readonly line: number;
  readonly anchor: string;
}

export interface SearchReport {
  readonly results: readonly FoundSection[];
  readonly total_matches: number;
}

interface Remembered {
  readonly report: SearchReport;
  readonly until: number;
  readonly generation: number;
}

const DEFAULT_RESULTS = 10;
const LIFETIME_MS = 60_000;
const MAX_REMEMBERED = 200;

/** Finds the sections of documents that answer a query. Answers are kept a while, unless a document changes. */
@injectable()
export class SearchDocumentsHandler {
  readonly #remembered = new Map<string, Remembered>();

  constructor(
    @inject(DocumentSearch) private readonly search: DocumentSearch,
    @inject(DocumentLibrary) private readonly library: DocumentLibrary,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async handle(query: SearchDocumentsQuery): Promise<Result<SearchReport, ToolError>> {
    const { resource_type = 'all', max_results = DEFAULT_RESULTS } = query;
    const key = JSON.stringify([query.query, resource_type, max_results]);
    const known = this.#remembered.get(key);
    if (
      known !== undefined &&
      known.until > this.clock.elapsed() &&
      known.generation === this.search.generation
    ) {
      return this.#answer(known.report);
    }
    const filter = resource_type === 'all' ? {} : { kind: resource_type };
    const { hits, total } = await this.search.search(query.query, filter, max_results);
    const report = { results: hits.map(toFoundSection), total_matches: total };
    this.#remember(key, report);
    return this.#answer(report);
  }

  #remember(key: string, report: SearchReport): void {
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size >= MAX_REMEMBERED && oldest !== undefined) this.#remembered.delete(oldest);
    const until = this.clock.elapsed() + LIFETIME_MS;
    this.#remembered.set(key, { report, until, generation: this.search.generation });
  }

  #answer(report: SearchReport): Result<SearchReport, ToolError> {
    const problems = this.library.problems();
    const [first] = problems;
    if (first === undefined) return Result.ok(report);
    const message = `${problems.length} files could not be read or only in part, such as ${first.path}: ${first.problem}`;
    return Result.ok(report, { message });
  }
}

function toFoundSection({ document, title, score, section, excerpt }: SearchHit): FoundSection {
  return {
    uri: document.uri ?? document.shownPath,
    title,
    resource_type: document.category.kind,
    relevance_score: Math.round(score * 10_000) / 10_000,
    excerpt,
    heading: section?.path.join(' > ') ?? '',
    line: section?.line ?? 1,
    anchor: section?.anchor ?? '',
  };
}
