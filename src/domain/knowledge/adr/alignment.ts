import type { AdrPosition } from './adr-position.js';
import type { AdrRecord } from './adr-record.js';
import type { AdrStatus } from './adr-status.js';
import { type Quote, sentencesBetween } from './quoted-sentence.js';
import { has, type NamedOption, wordsOf } from './record-options.js';

export type Verdict = 'supports' | 'conflicts' | 'related';

export interface Finding {
  readonly verdict: Verdict;
  /** As text, without the quotes. */
  readonly reason: string;
  /** The line of the ADR; undefined for the verdict "related". */
  readonly evidence?: Quote;
  /** The sentence of the proposal. */
  readonly proposed?: string;
}

/** A sentence of a proposal that states an action. */
interface Deed {
  readonly sentence: string;
  /** The words of the option it chooses: "Move the login back to Auth0 to save work" chooses Auth0. */
  readonly takes: readonly string[];
}

const WHO =
  /^(?:let us|let['’]s|please|[^,.;:]{0,60}?\b(?:will|should|shall|would like to|wants? to|(?:is|are) going to|plans? to|proposes? to))\s+/i;
const TAKES =
  /^(?:use|adopt|choose|pick|take|introduce|build|write|rewrite|implement|run|store|keep|put|host|serve|render|generate|expose|offer|cache|queue|provision|go with)\s+(.+)$/is;
const MOVES =
  /^(?:move|migrate|switch|port|convert|change|go back|return)\s+.*?\b(?:to|onto|over to)\s+(.+)$/is;
const SENDS =
  /^(?:send|publish|route|forward|push|deliver|deploy|ship)\s+.*?\b(?:to|through|via|over|with|on|onto|into)\s+(.+)$/is;
const REPLACES = /^replace\s+.*?\b(?:with|by)\s+(.+)$/is;
/** Words after which the chosen option has ended. */
const END =
  /[,;:(?]|\b(?:instead|rather|in place of|because|since|so|although|though|like|such as|than|not|never|no|without|except|unless|if|when|where|until|once|while|before|after|but|from|away|alongside|next to|beside|besides|behind|compatible|to|for)\b/i;

/** The verdict of an active ADR's options on a proposal; undefined if they allow none. */
export function compare(description: string, position: AdrPosition): Finding | undefined {
  const deeds = deedsIn(description);
  const { rejected, chosen } = position.options;
  return (
    found(
      deeds,
      rejected,
      'conflicts',
      'The proposal chooses an option that this record lists as rejected.',
    ) ??
    found(deeds, position.replaced, 'conflicts', 'The proposal chooses what this record replaced.') ??
    found(deeds, chosen, 'supports', 'The proposal chooses the same option as this record.')
  );
}

function found(
  deeds: readonly Deed[],
  options: readonly NamedOption[],
  verdict: Verdict,
  reason: string,
): Finding | undefined {
  for (const { sentence, takes } of deeds) {
    const option = options.find(({ words }) => has(takes, words));
    if (option !== undefined) return { verdict, reason, evidence: option.quote, proposed: sentence };
  }
  return undefined;
}

function deedsIn(description: string): readonly Deed[] {
  return sentencesBetween(description, 0, description.length).flatMap(({ text }) => {
    if (text.endsWith('?')) return [];
    const said = text.replace(WHO, '').replace(/\.$/, '');
    const [, object] =
      [TAKES, MOVES, SENDS, REPLACES].map((form) => form.exec(said)).find((match) => match !== null) ?? [];
    if (object === undefined) return [];
    const end = object.search(END);
    return [{ sentence: text, takes: wordsOf(end === -1 ? object : object.slice(0, end)) }];
  });
}

export function whyRelated(status: AdrStatus, heads: readonly AdrRecord[]): string {
  switch (status) {
    case 'accepted':
    case 'unknown':
      return 'Compare the proposal with this decision.';
    case 'proposed':
      return 'Not decided yet.';
    case 'rejected':
      return 'Proposed and rejected: read why before proposing it again.';
    case 'deprecated':
      return 'No longer active.';
    case 'superseded': {
      const judged = heads.map(({ id }) => id).join(' and ');
      return judged === '' ? 'Superseded.' : `Superseded; ${judged} stands in its place.`;
    }
  }
}
