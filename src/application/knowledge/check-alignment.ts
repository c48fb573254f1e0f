import { inject, injectable } from 'inversify';
import type { AdrProblem } from '../../domain/knowledge/adr/adr-graph.js';
import type { AdrPosition } from '../../domain/knowledge/adr/adr-position.js';
import type { Category } from '../../domain/knowledge/document/category.js';
import { Result } from '../../domain/result.js';
import type { ToolError } from '../../domain/tool/tool-error.js';
import { DocumentLibrary } from '../ports/knowledge/document-library.js';
import { DocumentSearch } from '../ports/knowledge/document-search.js';
import { Turns } from '../ports/system/turns.js';
import type { AlignmentReport, CheckAlignmentQuery } from './alignment-report.js';
import type { DecisionRecords, RecordDocument, UnderstoodRecords } from './decision-records.js';
import { KnowledgeSettings } from './knowledge-settings.js';

/** How many records are asked for: those that are not in force make room for those that replaced them. */
const RETRIEVED = 40;
const MAX_SUMMARY = 500;
const MAX_LINTED = 1000;
const NEIGHBOURS = 3;

/** Retrieves the decisions that a proposal has to do with, and judges the best of them with restraint. */
@injectable()
export class CheckAlignmentHandler {
  #records: Promise<DecisionRecords> | undefined;

  constructor(
    @inject(DocumentLibrary) private readonly library: DocumentLibrary,
    @inject(DocumentSearch) private readonly search: DocumentSearch,
    @inject(KnowledgeSettings) private readonly settings: KnowledgeSettings,
    @inject(Turns) private readonly turns: Turns,
  ) {}

  async handle(query: CheckAlignmentQuery): Promise<Result<AlignmentReport, ToolError>> {
    const asked = `${query.decision_description} ${query.decision_context ?? ''}`;
    const { hits } = await this.search.search(asked, { kind: 'adr' }, RETRIEVED);
    const records = await this.#understand();
    // Loaded by the first question: most sessions never ask one.
    const { reportOf } = await import('./alignment-report.js');
    const ranked = hits.flatMap(({ document, score }) =>
      document.uri === undefined ? [] : [{ uri: document.uri, score }],
    );
    const report = reportOf(query, ranked, records);
    const [problem] = records.problems;
    if (problem === undefined) return Result.ok(report);
    const message = `The decision records have ${records.problems.length} problems, such as ${problem.path}:${problem.line}: ${problem.problem}`;
    return Result.ok(report, { message });
  }

  /** What is wrong with the records themselves: dangling links, circles, numbers used twice, contradictions. */
  async lint(): Promise<readonly AdrProblem[]> {
    const records = await this.#understand();
    const { contradictionOf } = await import('./alignment-report.js');
    const found: AdrProblem[] = [];
    for (const position of [...records.positions.values()].slice(0, MAX_LINTED)) {
      const { hits } = await this.search.search(summaryOf(position), { kind: 'adr' }, NEIGHBOURS);
      const uris = hits.flatMap(({ document }) => document.uri ?? []);
      found.push(...contradictionOf(position, uris, records));
    }
    return [...records.problems, ...found];
  }

  async #understand(): Promise<UnderstoodRecords> {
    this.#records ??= import('./decision-records.js').then(
      (module) => new module.DecisionRecords(this.turns),
    );
    const records = await this.#records;
    const documents: RecordDocument[] = [];
    for (const category of this.settings.categories.filter(({ kind }) => kind === 'adr')) {
      documents.push(...(await this.#documents(category)));
    }
    return records.understand(documents);
  }

  async #documents(category: Category): Promise<readonly RecordDocument[]> {
    const listed = await this.library.list(category);
    const documents: RecordDocument[] = [];
    for (const document of listed.success ? listed.value : []) {
      if (document.uri === undefined) continue;
      const content = await this.library.read(document);
      if (!content.success) continue;
      const { uri, shownPath: path } = document;
      documents.push({ uri, path, log: logOf(category, document.path), content: content.value });
    }
    return documents;
  }
}

function summaryOf({ record, section }: AdrPosition): string {
  return `${record.title} ${section.text}`.slice(0, MAX_SUMMARY);
}

/** Several logs may lie in one category, a folder each; a record in a folder of its own is in the log around it. */
function logOf({ name }: Category, path: string): string {
  const folders = path.split('/').slice(0, -1);
  if (/\/(?:readme|index)\.md$/i.test(path)) folders.pop();
  return [name, ...folders].join('/');
}
