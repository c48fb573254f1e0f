import type { AdrProblem } from '../../domain/knowledge/adr/adr-graph.js';
import type { AdrPosition } from '../../domain/knowledge/adr/adr-position.js';
import type { AdrRecord } from '../../domain/knowledge/adr/adr-record.js';
import type { AdrStatus } from '../../domain/knowledge/adr/adr-status.js';
import { type Finding, judge, type Verdict, whyRelated } from '../../domain/knowledge/adr/alignment.js';
import { conflictCandidates, isClaimed } from '../../domain/knowledge/adr/conflict-rules.js';
import { readProposal } from '../../domain/knowledge/adr/proposal.js';
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
  /** The file names no status; that it is accepted follows from its text. */
  readonly status_inferred?: true;
  readonly alignment: Verdict;
  readonly reason: string;
  readonly source: 'rules' | 'model';
  /** What was decided, whole. */
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

const MAX_IN_FORCE = 8;
const MAX_OTHERS = 4;
/** Sections are shown whole as long as the answer stays readable. */
const MAX_SECTION = 8000;
const MAX_SECTIONS = 40_000;
/** The record says in so many words that it was rejected. */
const REJECTION =
  /\b(?:reject|refus|dismiss|discard|rul(?:e|ed) out|forbid|forbidden|prohibit|disallow|ban(?:ned)?\b|turned down|declin|dropp|abandon|retire|decided against|out of scope|deprecat|not (?:allowed|permitted|chosen|used|offered|accepted))/i;
const ORDER: readonly Verdict[] = ['conflicts', 'supports', 'related'];

/** What the retrieved records say to a proposal: conflicts first, then support, then what to read. */
export function reportOf(
  query: CheckAlignmentQuery,
  ranked: readonly string[],
  records: UnderstoodRecords,
): AlignmentReport {
  const candidates = candidatesOf(ranked, records);
  const inForce = candidates.filter(({ status }) => status === 'accepted').slice(0, MAX_IN_FORCE);
  const others = candidates.filter(({ status }) => status !== 'accepted').slice(0, MAX_OTHERS);
  const proposal = readProposal(query.decision_description, query.decision_context);
  // Only the record that has most to do with the proposal is judged: claims about others were mostly wrong.
  const findings = inForce.map(({ position }, index): Finding => {
    const judged = index === 0 ? judge(proposal, position, records.weights) : undefined;
    return judged ?? { verdict: 'related', reason: whyRelated('accepted', []) };
  });
  const judged = inForce.map((candidate, index) => ({ ...candidate, finding: findings[index] as Finding }));
  const listed = [
    ...ORDER.flatMap((verdict) => judged.filter(({ finding }) => finding.verdict === verdict)),
    ...others.map((candidate) => ({ ...candidate, finding: outOfForce(candidate, records) })),
  ];
  let room = MAX_SECTIONS;
  const related = listed.map(({ position, status, finding }) => {
    const shown =
      (status === 'accepted' || status === 'unknown') && room > 0 ? sectionOf(position) : undefined;
    room -= shown?.length ?? 0;
    return toRelated(position, status, finding, shown);
  });
  return { related_adrs: related, ...conclusions(related, records.positions.size) };
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

/** Decisions in force that reject what this one chose. */
export function contradictionOf(
  position: AdrPosition,
  neighbours: readonly string[],
  records: UnderstoodRecords,
): readonly AdrProblem[] {
  const { record } = position;
  if (records.statusOf(record) !== 'accepted') return [];
  const chosen = position.claims.filter(({ source }) => source === 'sentence');
  const proposal = readProposal([...new Set(chosen.map(({ evidence }) => evidence.quote))].join('\n\n'));
  return neighbours.flatMap((uri) => {
    const other = records.positions.get(uri);
    if (other === undefined || other.record === record) return [];
    if (records.statusOf(other.record) !== 'accepted' || records.areLinked(record, other.record)) return [];
    // A decision asks for nothing: only what is rejected in so many words, and there whole, tells.
    const found = conflictCandidates({ proposal, position: other, weights: records.weights }).find(
      (candidate) => isClaimed(candidate) && candidate.isWhole && REJECTION.test(candidate.quote.quote),
    );
    if (found === undefined) return [];
    const { quote: evidence } = found;
    const { path } = other.record.source;
    const problem = `${other.record.id} and ${record.id} (${record.source.path}) contradict each other: "${evidence.quote}" against "${found.sentence.text}"`;
    return [{ path, line: evidence.line, problem }];
  });
}

/** In the order of the search, a record that was replaced followed by those in force in its place. */
function candidatesOf(ranked: readonly string[], records: UnderstoodRecords): readonly Candidate[] {
  const found = new Map<AdrRecord, Candidate>();
  for (const uri of ranked) {
    const hit = records.positions.get(uri);
    if (hit === undefined) continue;
    for (const record of [hit.record, ...records.headsOf(hit.record)]) {
      const position = records.positions.get(record.source.uri);
      if (position === undefined || found.has(record)) continue;
      found.set(record, { position, status: records.statusOf(record) });
    }
  }
  return [...found.values()];
}

function outOfForce({ position, status }: Candidate, records: UnderstoodRecords): Finding {
  const heads = records.headsOf(position.record).filter((head) => head !== position.record);
  return { verdict: 'related', reason: whyRelated(status, heads) };
}

function sectionOf({ section, record }: AdrPosition): string {
  if (section.text.length <= MAX_SECTION) return section.text;
  const paragraph = section.text.lastIndexOf('\n\n', MAX_SECTION);
  const end = paragraph > MAX_SECTION / 2 ? paragraph : MAX_SECTION;
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
    quote: (evidence ?? lead).quote,
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
    return ['Refer to the supporting records in the new one, and read the related ones.'];
  }
  if (related.length > 0) return ['Read the decisions of the related records before deciding.'];
  return ['No record speaks of this; write a new one.'];
}
