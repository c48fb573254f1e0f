import { contradictionsBetween } from '../../domain/knowledge/adr/adr-contradictions.js';
import { AdrGraph, type AdrProblem } from '../../domain/knowledge/adr/adr-graph.js';
import { type AdrRecord, parseAdr } from '../../domain/knowledge/adr/adr-record.js';
import { type AdrPosition, positionOf } from '../../domain/knowledge/adr/adr-stance.js';
import type { AdrStatus } from '../../domain/knowledge/adr/adr-status.js';
import { alignProposal } from '../../domain/knowledge/adr/alignment.js';
import type { Alignment } from '../../domain/knowledge/adr/alignment-situation.js';
import { DecisionProposal } from '../../domain/knowledge/adr/decision-proposal.js';
import type { DocumentContent } from '../ports/knowledge/document-library.js';

export interface CheckAlignmentQuery {
  readonly decision_description: string;
  readonly decision_context?: string;
}

export interface RelatedAdr {
  readonly uri: string;
  readonly title: string;
  readonly adr_id: string;
  readonly status: AdrStatus;
  readonly alignment: Alignment['verdict'];
  readonly reason: string;
  readonly quote: string;
  readonly line: number;
}

export interface AlignmentReport {
  readonly related_adrs: readonly RelatedAdr[];
  readonly conflicts: readonly {
    readonly adr_uri: string;
    readonly conflict_description: string;
    readonly quote: string;
    readonly line: number;
  }[];
  readonly suggestions: readonly string[];
}

/** A document that may be the record of a decision. */
export interface RecordDocument {
  readonly uri: string;
  readonly path: string;
  readonly content: DocumentContent;
}

const MAX_RELATED = 20;

/** The records of decisions, each understood once as long as its text stays the same. */
export class DecisionRecords {
  readonly #known = new WeakMap<DocumentContent, AdrPosition>();

  /** What the records say to a proposal, and what is wrong with their links. */
  judge(
    query: CheckAlignmentQuery,
    documents: readonly RecordDocument[],
  ): { readonly report: AlignmentReport; readonly problems: readonly AdrProblem[] } {
    const { positions, graph } = this.#understand(documents);
    const proposal = new DecisionProposal(query.decision_description, query.decision_context);
    const found = alignProposal(proposal, positions, graph).slice(0, MAX_RELATED);
    const conflicts = found.filter(({ verdict }) => verdict === 'conflicts');
    const report = {
      related_adrs: found.map(toRelated),
      conflicts: conflicts.map(({ record, reason, evidence }) => ({
        adr_uri: record.source.uri,
        conflict_description: `${record.id}: ${reason} It says: "${evidence.quote}" (line ${evidence.line})`,
        ...evidence,
      })),
      suggestions: suggestionsFor(found, positions.length),
    };
    return { report, problems: graph.problems };
  }

  /** What is wrong with the records themselves: dangling links, circles, contradictions. */
  lint(documents: readonly RecordDocument[]): readonly AdrProblem[] {
    const { positions, graph } = this.#understand(documents);
    return [...graph.problems, ...contradictionsBetween(positions, graph)];
  }

  #understand(documents: readonly RecordDocument[]) {
    const positions = documents
      .map((document) => this.#position(document))
      .filter(({ record }) => isRecord(record));
    return { positions, graph: new AdrGraph(positions.map(({ record }) => record)) };
  }

  #position({ uri, path, content }: RecordDocument): AdrPosition {
    const known = this.#known.get(content);
    if (known !== undefined) return known;
    const { title, text, frontMatter, outline } = content;
    const position = positionOf(parseAdr({ uri, path, title, text, frontMatter, outline }));
    this.#known.set(content, position);
    return position;
  }
}

/** A folder of records has a read-me and a template beside them. */
function isRecord({ source }: AdrRecord): boolean {
  return !/(?:^|\/)(?:readme|index|template|adr-template|0000-template)\.md$/i.test(source.path);
}

function toRelated({ record, status, verdict, reason, evidence }: Alignment): RelatedAdr {
  return {
    uri: record.source.uri,
    title: record.title,
    adr_id: record.id,
    status,
    alignment: verdict,
    reason: `${reason} It says: "${evidence.quote}" (line ${evidence.line})`,
    ...evidence,
  };
}

function suggestionsFor(found: readonly Alignment[], total: number): readonly string[] {
  if (total === 0) return ['There are no decision records yet; write this one down as the first.'];
  const conflicts = found.filter(({ verdict }) => verdict === 'conflicts').map(({ record }) => record);
  if (conflicts.length > 0) {
    return conflicts.map(
      ({ id, title }) =>
        `Change the proposal to keep to ${id} (${title}), or write a new record that supersedes ${id} and says what has changed.`,
    );
  }
  if (found.some(({ verdict }) => verdict === 'supports')) {
    return ['Refer to the supporting records in the new one.'];
  }
  if (found.length > 0)
    return ['Read the related records: their words alone do not tell whether they agree.'];
  return ['No record speaks of this; write a new one.'];
}
