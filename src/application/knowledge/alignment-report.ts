import type { AdrPosition } from '../../domain/knowledge/adr/adr-position.js';
import type { AdrRecord } from '../../domain/knowledge/adr/adr-record.js';
import type { AdrStatus } from '../../domain/knowledge/adr/adr-status.js';
import { compare, type Finding, type Verdict, whyRelated } from '../../domain/knowledge/adr/alignment.js';
import type { UnderstoodRecords } from './decision-records.js';

export interface CheckAlignmentQuery {
  readonly decision_description: string;
  readonly decision_context?: string;
}

export interface RelatedAdr {
  readonly uri: string;
  readonly title: string;
  readonly adr_id: string;
  readonly status: AdrStatus;
  /** The file has no status; its text implies that it is accepted. */
  readonly status_inferred?: true;
  readonly alignment: Verdict;
  readonly reason: string;
  readonly source: 'rules' | 'model';
  /** The decision, complete. */
  readonly decision?: string;
  readonly line: number;
  readonly anchor: string;
  readonly quote: string;
  readonly proposal_quote?: string;
}

export interface AlignmentReport {
  readonly related_adrs: readonly RelatedAdr[];
  readonly conflicts: readonly {
    readonly adr_uri: string;
    readonly conflict_description: string;
    readonly quote: string;
    readonly proposal_quote: string;
    readonly line: number;
  }[];
  readonly suggestions: readonly string[];
}

interface Candidate {
  readonly position: AdrPosition;
  readonly status: AdrStatus;
}

/** The best few: the reader must read each of them. */
const MAX_RECORDS = 5;
/** Characters of all decisions together, and of one: the whole result stays below 2,500 tokens. */
const MAX_DECISIONS = 6500;
const MAX_DECISION = 3000;
const LEAST_DECISION = 400;
const MAX_QUOTE = 300;
const ORDER: readonly Verdict[] = ['conflicts', 'supports', 'related'];

/** Compares the found ADRs with a proposal: conflicts first, then support, then what to read. */
export function reportOf(
  query: CheckAlignmentQuery,
  ranked: readonly string[],
  records: UnderstoodRecords,
): AlignmentReport {
  const candidates = candidatesOf(ranked, records).slice(0, MAX_RECORDS);
  const judged = candidates.map((candidate) => ({
    ...candidate,
    finding: findingOn(query.decision_description, candidate, records),
  }));
  const listed = ORDER.flatMap((verdict) => judged.filter(({ finding }) => finding.verdict === verdict));
  let room = MAX_DECISIONS;
  const related = listed.map(({ position, status, finding }) => {
    const shown =
      status === 'accepted' || status === 'unknown'
        ? sectionOf(position, Math.max(LEAST_DECISION, Math.min(MAX_DECISION, room)))
        : undefined;
    room -= shown?.length ?? 0;
    return toRelated(position, status, finding, shown);
  });
  return { related_adrs: related, ...conclusions(related, records.positions.size) };
}

function findingOn(
  description: string,
  { position, status }: Candidate,
  records: UnderstoodRecords,
): Finding {
  const told = status === 'accepted' ? compare(description, position) : undefined;
  const heads = records.headsOf(position.record).filter((head) => head !== position.record);
  return told ?? { verdict: 'related', reason: whyRelated(status, heads) };
}

export function conclusions(
  related: readonly RelatedAdr[],
  total: number,
): Pick<AlignmentReport, 'conflicts' | 'suggestions'> {
  const conflicts = related.flatMap((record) => {
    const { uri, adr_id, alignment, reason, quote, proposal_quote, line } = record;
    if (alignment !== 'conflicts' || proposal_quote === undefined) return [];
    const description = `${adr_id}: ${reason} It says: "${quote}" The proposal says: "${proposal_quote}"`;
    return [{ adr_uri: uri, conflict_description: description, quote, proposal_quote, line }];
  });
  return { conflicts, suggestions: suggestionsFor(related, total) };
}

/** In the order of the search; a replaced ADR comes after the active ones that replaced it. */
function candidatesOf(ranked: readonly string[], records: UnderstoodRecords): readonly Candidate[] {
  const found = new Map<AdrRecord, Candidate>();
  for (const uri of ranked) {
    const hit = records.positions.get(uri);
    if (hit === undefined) continue;
    for (const record of [...records.headsOf(hit.record), hit.record]) {
      const position = records.positions.get(record.source.uri);
      if (position === undefined || found.has(record)) continue;
      found.set(record, { position, status: records.statusOf(record) });
    }
  }
  return [...found.values()];
}

function sectionOf({ section, record }: AdrPosition, most: number): string {
  if (section.text.length <= most) return section.text;
  const paragraph = section.text.lastIndexOf('\n\n', most);
  const end = paragraph > most / 2 ? paragraph : most;
  return `${section.text.slice(0, end)}\n\n[Goes on: read ${record.source.uri}#${section.anchor}]`;
}

function toRelated(
  { record, section, lead }: AdrPosition,
  status: AdrStatus,
  { verdict, reason, evidence, proposed }: Finding,
  decision: string | undefined,
): RelatedAdr {
  return {
    uri: record.source.uri,
    title: record.title,
    adr_id: record.id,
    status,
    ...(record.isInferred && { status_inferred: true }),
    alignment: verdict,
    reason,
    source: 'rules',
    quote: (evidence ?? lead).quote.slice(0, MAX_QUOTE),
    ...(proposed !== undefined && { proposal_quote: proposed }),
    line: (evidence ?? lead).line,
    anchor: section.anchor,
    ...(decision !== undefined && { decision }),
  };
}

function suggestionsFor(related: readonly RelatedAdr[], total: number): readonly string[] {
  if (total === 0) return ['There are no decision records yet; write this one down as the first.'];
  const conflicts = related.filter(({ alignment }) => alignment === 'conflicts');
  if (conflicts.length > 0) {
    return conflicts.map(
      ({ adr_id: id, title }) =>
        `Change the proposal to keep to ${id} (${title}), or write a new record that supersedes ${id} and says what has changed.`,
    );
  }
  if (related.some(({ alignment }) => alignment === 'supports')) {
    return ['Refer to the supporting records in the new one, and compare it with the related ones.'];
  }
  if (related.length > 0) return ['Compare the proposal with the decision of each related record.'];
  return ['No record was found for these words; search_architecture may find more.'];
}
