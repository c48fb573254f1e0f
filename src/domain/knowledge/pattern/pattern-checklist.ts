import { quoteOf, sentencesBetween } from '../adr/quoted-sentence.js';

/** A sentence of a pattern that code can be compared with, as written there. */
export interface ChecklistItem {
  readonly text: string;
  readonly line: number;
}

const MAX_ITEMS = 20;
const MAX_TEXT = 400;
const FRONT_MATTER = /^---\r?\n[\s\S]*?\r?\n---[ \t]*(?=\r?\n|$)/;
const HEADING = /^ {0,3}#{1,6}\s/;
/** Words that people use in rules. */
const RULE =
  /\b(?:must|shall|should|never|always|only|avoid|prefer|required?|forbidden|do not|don['’]t|does not|may not|cannot|no|use|return|keep|each|every)\b/i;

/**
 * The rules of a pattern in its own words, for a reader to judge: sentences that demand something, or all if
 * none does.
 */
export function checklistOf(pattern: string): readonly ChecklistItem[] {
  const body = pattern.replace(FRONT_MATTER, (matter) => matter.replace(/[^\n]/g, ' '));
  const sentences = sentencesBetween(body, 0, body.length)
    .filter(({ text, start }) => text.length <= MAX_TEXT && !isHeading(body, start))
    .map((sentence) => quoteOf(body, sentence));
  const rules = sentences.filter(({ quote }) => RULE.test(quote));
  const chosen = rules.length > 0 ? rules : sentences;
  return chosen.slice(0, MAX_ITEMS).map(({ quote, line }) => ({ text: quote, line }));
}

function isHeading(text: string, start: number): boolean {
  return HEADING.test(text.slice(text.lastIndexOf('\n', start - 1) + 1));
}
