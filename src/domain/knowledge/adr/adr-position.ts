import type { AdrRecord } from './adr-record.js';
import { type DecisionSection, decisionParts } from './decision-parts.js';
import { type Quote, quoteOf } from './quoted-sentence.js';
import { has, type NamedOption, type RecordOptions, recordOptions } from './record-options.js';

/** What an ADR decided, as far as a proposal can be compared with it. */
export interface AdrPosition {
  readonly record: AdrRecord;
  readonly section: DecisionSection;
  /** The first sentence of the decision. */
  readonly lead: Quote;
  readonly options: RecordOptions;
  /** What the replaced ADRs had chosen. */
  readonly replaced: readonly NamedOption[];
}

export function positionOf(record: AdrRecord): AdrPosition {
  const parts = decisionParts(record);
  const { text } = record.source;
  return {
    record,
    section: parts.section,
    lead: quoteOf(text, parts.deciding[0] ?? parts.title ?? { text: '', start: 0 }),
    options: recordOptions(text, record.title, parts),
    replaced: [],
  };
}

/** A decision drops the choices of the ADRs it replaced, unless it makes them again. The quote is its own. */
export function inheriting(position: AdrPosition, replaced: readonly AdrPosition[]): AdrPosition {
  const { lead, options } = position;
  const left = replaced
    .flatMap((each) => each.options.chosen)
    .filter(({ words }) => !options.chosen.some((kept) => has(kept.words, words) || has(words, kept.words)))
    .map(({ words }) => ({ words, quote: lead }));
  return { ...position, replaced: left };
}
