import { inject, injectable } from 'inversify';
import type { AdrProblem } from '../../domain/knowledge/adr/adr-graph.js';
import { Result } from '../../domain/result.js';
import type { ToolError } from '../../domain/tool/tool-error.js';
import { DocumentLibrary } from '../ports/knowledge/document-library.js';
import type {
  AlignmentReport,
  CheckAlignmentQuery,
  DecisionRecords,
  RecordDocument,
} from './decision-records.js';
import { KnowledgeSettings } from './knowledge-settings.js';

/** Holds a proposal against the decisions in force. What understands them is loaded by the first question. */
@injectable()
export class CheckAlignmentHandler {
  #records: Promise<DecisionRecords> | undefined;

  constructor(
    @inject(DocumentLibrary) private readonly library: DocumentLibrary,
    @inject(KnowledgeSettings) private readonly settings: KnowledgeSettings,
  ) {}

  async handle(query: CheckAlignmentQuery): Promise<Result<AlignmentReport, ToolError>> {
    const { report, problems } = (await this.#load()).judge(query, await this.#documents());
    const [problem] = problems;
    if (problem === undefined) return Result.ok(report);
    const message = `The decision records have ${problems.length} problems, such as ${problem.path}:${problem.line}: ${problem.problem}`;
    return Result.ok(report, { message });
  }

  /** What is wrong with the records themselves: dangling links, circles, contradictions. */
  async lint(): Promise<readonly AdrProblem[]> {
    return (await this.#load()).lint(await this.#documents());
  }

  #load(): Promise<DecisionRecords> {
    this.#records ??= import('./decision-records.js').then((module) => new module.DecisionRecords());
    return this.#records;
  }

  async #documents(): Promise<readonly RecordDocument[]> {
    const documents: RecordDocument[] = [];
    for (const category of this.settings.categories.filter(({ kind }) => kind === 'adr')) {
      const listed = await this.library.list(category);
      if (!listed.success) continue;
      for (const document of listed.value) {
        if (document.uri === undefined) continue;
        const content = await this.library.read(document);
        if (content.success)
          documents.push({ uri: document.uri, path: document.shownPath, content: content.value });
      }
    }
    return documents;
  }
}
