import { inject, injectable } from 'inversify';
import type { AdrProblem } from '../../domain/knowledge/adr/adr-graph.js';
import { Result } from '../../domain/result.js';
import type { ToolError } from '../../domain/tool/tool-error.js';
import { DocumentSearch } from '../ports/knowledge/document-search.js';
import type { AlignmentReport, CheckAlignmentQuery } from './alignment-report.js';
import type { UnderstoodRecords } from './decision-records.js';
import type { ModelQuery } from './model-judgement.js';
import { ProjectDecisions } from './project-decisions.js';

export type AskModel = (question: ModelQuery) => Promise<Result<string, ToolError>>;

/** How many ADRs are searched: inactive ones are exchanged for those that replaced them. */
const RETRIEVED = 40;

/** Finds the ADRs relevant to a proposal; a verdict is derived from listed options only. */
@injectable()
export class CheckAlignmentHandler {
  constructor(
    @inject(DocumentSearch) private readonly search: DocumentSearch,
    @inject(ProjectDecisions) private readonly decisions: ProjectDecisions,
  ) {}

  /** `ask` puts a question to a model, within the limits its owner sets; without it only the rules decide. */
  async handle(query: CheckAlignmentQuery, ask?: AskModel): Promise<Result<AlignmentReport, ToolError>> {
    const asked = `${query.decision_description} ${query.decision_context ?? ''}`;
    const { hits } = await this.search.search(asked, { kind: 'adr' }, RETRIEVED);
    const records = await this.decisions.understood();
    // Loaded on first use: most sessions never need it.
    const { reportOf } = await import('./alignment-report.js');
    const ranked = hits.flatMap(({ document }) => document.uri ?? []);
    const ruled = reportOf(query, ranked, records);
    const { report, note } =
      ask === undefined
        ? { report: ruled, note: '' }
        : await askAbout(query, ruled, ask, records.positions.size);
    const message = [note, problemsOf(records)].filter((text) => text !== '').join(' ');
    return Result.ok(report, message === '' ? undefined : { message });
  }

  /** Problems of the ADRs themselves: dangling links, cycles, duplicate numbers. */
  async lint(): Promise<readonly AdrProblem[]> {
    return (await this.decisions.understood()).problems;
  }
}

/** If anything goes wrong with the model, the result of the rules stands. */
async function askAbout(query: CheckAlignmentQuery, ruled: AlignmentReport, ask: AskModel, total: number) {
  const { questionAbout, withJudgements } = await import('./model-judgement.js');
  const question = questionAbout(query, ruled);
  if (question === undefined)
    return { report: ruled, note: 'No model was asked: there is no record to judge.' };
  const answer = await ask(question);
  if (!answer.success) return { report: ruled, note: `No model has judged: ${answer.error.message}` };
  const judged = withJudgements(ruled, query, answer.value, total);
  if (judged.success) return { report: judged.value, note: '' };
  return { report: ruled, note: `The model's answer was discarded: ${judged.error}.` };
}

function problemsOf({ problems }: UnderstoodRecords): string {
  const [first] = problems;
  if (first === undefined) return '';
  return `The decision records have ${problems.length} problems, such as ${first.path}:${first.line}: ${first.problem}`;
}
