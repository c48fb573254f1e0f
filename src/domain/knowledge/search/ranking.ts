/** How often a term occurs in each part of a document. */
export interface FieldCounts {
  readonly title: number;
  /** Headings, and what the front matter says the document is about. */
  readonly heading: number;
  /** The first words of the text. */
  readonly lead: number;
  readonly body: number;
}

const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.6;
const FIELD_WEIGHTS: FieldCounts = { title: 2, heading: 1, lead: 1.5, body: 1 };
const TITLE_GAIN = 2.5;
const NEARNESS_GAIN = 1;
const TYPO_PENALTY = 0.75;

/** The weight of a term by its rarity: low if every document has it. */
export function rarity(documents: number, having: number): number {
  return Math.log(1 + (documents - having + 0.5) / (having + 0.5));
}

/** BM25F: fields are weighted first and saturated together, so that no field wins by repetition. */
export function termWeight(counts: FieldCounts, length: number, averageLength: number): number {
  const weighed =
    FIELD_WEIGHTS.title * counts.title +
    FIELD_WEIGHTS.heading * counts.heading +
    FIELD_WEIGHTS.lead * counts.lead +
    FIELD_WEIGHTS.body * counts.body;
  const normal = 1 - LENGTH_WEIGHT + LENGTH_WEIGHT * (length / Math.max(averageLength, 1));
  const frequency = weighed / normal;
  return frequency / (SATURATION + frequency);
}

/**
 * A title counts as far as query and title cover each other: a requested title wins, one that only shares a
 * word with a long question gains almost nothing.
 */
export function titleFactor(queryCovered: number, titleCovered: number): number {
  return 1 + TITLE_GAIN * queryCovered * queryCovered * titleCovered;
}

/** Words that are close together, as in the query, belong together. */
export function nearnessFactor(nearness: number): number {
  return 1 + NEARNESS_GAIN * nearness;
}

/** The weight of a word that was matched with typos. */
export function typoWeight(typos: number): number {
  return TYPO_PENALTY ** typos;
}
