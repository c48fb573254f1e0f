import { inject, injectable } from 'inversify';
import type { AdrProblem } from '../../domain/knowledge/adr/adr-graph.js';
import type { AdrPosition } from '../../domain/knowledge/adr/adr-position.js';
import { Result } from '../../domain/result.js';
import type { ToolError } from '../../domain/tool/tool-error.js';
import { DocumentSearch } from '../ports/knowledge/document-search.js';
import type { AlignmentReport, CheckAlignmentQuery } from './alignment-report.js';
import { ProjectDecisions } from './project-decisions.js';

/** How many records are asked for: those that are not in force make room for those that replaced them. */
const RETRIEVED = 40;
const MAX_SUMMARY = 500;
const MAX_LINTED = 1000;
const NEIGHBOURS = 3;

/** Retrieves the decisions that a proposal has to do with, and judges the best of them with restraint. */
@injectable()
export class CheckAlignmentHandler {
  constructor(
    @inject(DocumentSearch) private readonly search: DocumentSearch,
    @inject(ProjectDecisions) private readonly decisions: ProjectDecisions,
  ) {}

  async handle(query: CheckAlignmentQuery): Promise<Result<AlignmentReport, ToolError>> {
    const asked = `${query.decision_description} ${query.decision_context ?? ''}`;
    const { hits } = await this.search.search(asked, { kind: 'adr' }, RETRIEVED);
    const records = await this.decisions.understood();
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
    const records = await this.decisions.understood();
    const { contradictionOf } = await import('./alignment-report.js');
    const found: AdrProblem[] = [];
    for (const position of [...records.positions.values()].slice(0, MAX_LINTED)) {
      const { hits } = await this.search.search(summaryOf(position), { kind: 'adr' }, NEIGHBOURS);
      const uris = hits.flatMap(({ document }) => document.uri ?? []);
      found.push(...contradictionOf(position, uris, records));
    }
    return [...records.problems, ...found];
  }
}

function summaryOf({ record, section }: AdrPosition): string {
  return `${record.title} ${section.text}`.slice(0, MAX_SUMMARY);
}
