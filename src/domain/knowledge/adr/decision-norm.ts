import { ENDED, REFUSED_BEHIND } from './clause-cues.js';
import { SentenceReading } from './clause-polarity.js';
import { optionsIn } from './option-families.js';
import { type Quantity, quantitiesIn } from './quantity.js';
import { type Quote, type QuotedSentence, quoteAt } from './quoted-sentence.js';
import { isWeak, phraseStems, topicStems, topicWords } from './topic-words.js';

interface Said {
  readonly evidence: Quote;
  /** The clause as it is written. */
  readonly text: string;
  readonly stems: ReadonlySet<string>;
}

/** What a record forbids: one of the alternatives, of what it is said of. */
export interface Ban extends Said {
  readonly kind: 'ban';
  readonly subject: ReadonlySet<string>;
  /** The act itself, which a proposal seldom calls by the same word. */
  readonly verb?: string;
  readonly alternatives: readonly ReadonlySet<string>[];
  /** What is missing where it is forbidden: "without captions". */
  readonly lacking: ReadonlySet<string>;
  /** What makes it allowed after all. */
  readonly unless: readonly ReadonlySet<string>[];
}

/** What a record says is to be so. */
export interface Demand extends Said {
  readonly kind: 'demand';
  /** The way that everything has to take; empty where it names none. */
  readonly way: ReadonlySet<string>;
  readonly quantities: readonly Quantity[];
}

export type Norm = Ban | Demand;

const REASON =
  /\b(?:because|since|so that|in order to|due to|thanks to|as (?:it|they|we)|to achieve|to save|to reduce|to avoid|weil)\b/i;
const CLAUSE =
  /[;:]\s|,?\s+\b(?:but|whereas|while)\b\s|,?\s+and (?=(?:do|does|must|will|should|may|never|not|no|we|they)\b)|,\s+(?=(?:we|they|it|nobody|there)\b)/gi;
const FORBIDDING =
  /\b(?:must(?:n't| not| never)|shall not|may (?:not|never)|should(?:n't| not| never)|cannot|can't|can (?:not|never)|will (?:not|never)|won't|(?:do|does|did)(?:n't| not)|(?:are|is|was|were) (?:never|not|no longer)|aren't|isn't|never|no longer|not|forbids?|prohibits?|avoids?|bans?|stops?|nobody|no one|nothing|none|no|instead of|rather than|(?:decided|decide|and) against)\b/i;
const NOBODY =
  /^(\s*(?:[\p{L}'-]+\s+){0,3}?)(?:may|can|shall|should|must|will|is|are|gets?|has|deploys?|uses?|calls?)\s+(?:be\s+)?/u;
/** What is said under a condition is said of the condition. */
const CONDITION = /\b(?:if|when|where|as long as|in case)\b[^,;]*/gi;
const ALLOWING = /\b(?:allowed|permitted|fine|acceptable|exempt|excepted|erlaubt)\b/i;
const NO_NAME = /\b(?:is|are|was|were) (?:not|no) an?\s[\p{L} -]{2,30}[.!]?\s*$/iu;
const UNLESS = /\b(?:except(?: for)?|unless|without|other than|apart from)\b/i;
const AUXILIARY =
  /\b(?:is|are|was|were|must|may|shall|should|will|can|do|does|has|have|goes|go|runs?|uses?|stays?|ends?|leaves?)\b/i;
const LIST = /[,()]|\bor\b|\band\b|\bnor\b|\//i;
const ONLY =
  /^\W*only\s+(.+?)\s+(?:may|can|is allowed to|are allowed to|must|should|is permitted to|has|have)\s+(.+)$/i;
const WAY = /\b(?:through|via|by way of|behind|by means of|über)\s+([^,.;]+)/i;
const PRONOUN = /^\W*(?:and )?(?:they|it|these|those|this|both|sie|es)\b\s*$/i;
/** "not longer than …" says how long it may be. */
const BOUNDED =
  /\b(?:not|never|no|cannot|n't)\b[^.;]{0,60}\b(?:longer|more|later|greater|higher|larger|older|less|fewer|shorter|lower|earlier|smaller) than\s+(?:\d|[a-z]+ )/i;
/** An end that is still to come forbids nothing today. */
const TO_BE_DONE =
  /\b(?:must|should|shall|will|can|may|has to|have to) be (?:removed|replaced|dropped|closed|retired|deprecated)\b/i;
const MAX_STEMS = 24;
const NONE: ReadonlySet<string> = new Set();

/** What the sentences of a decision forbid and demand, clause by clause. */
export function normsIn(file: string, sentences: readonly QuotedSentence[], title: string): readonly Norm[] {
  let last = title;
  const all = sentences.flatMap((sentence) => {
    const [said = ''] = sentence.text.split(REASON);
    let from = 0;
    let before = last;
    const norms: Norm[] = [];
    for (const end of [...[...said.matchAll(CLAUSE)].map((cut) => cut.index), said.length]) {
      const text = said.slice(from, end).replace(/[*_`]/g, ' ');
      const evidence = () => quoteAt(file, sentence, from + leading(text));
      norms.push(...normOf(text, evidence, before));
      const subject = subjectOf(text);
      if (from === 0 || topicStems(subject).size > 0) before = PRONOUN.test(subject) ? before : subject;
      from = end;
    }
    if (topicStems(before).size > 0) last = before;
    return norms;
  });
  return withAllowances(all);
}

/** "…; in the laboratory it is allowed": an exception to the ban before it. */
function withAllowances(norms: readonly Norm[]): readonly Norm[] {
  return norms.map((norm, index) => {
    const next = norms[index + 1];
    if (norm.kind !== 'ban' || next?.kind !== 'demand' || !ALLOWING.test(next.text)) return norm;
    return { ...norm, unless: [...norm.unless, next.stems] };
  });
}

/** What a clause is said of: the words before its verb. */
function subjectOf(text: string): string {
  const [who] = /^[\s;:,]*(?:we|you|i|nobody|one|teams?|services?|developers?|people)\b/i.exec(text) ?? [];
  return who ?? text.split(AUXILIARY, 1)[0] ?? '';
}

function leading(text: string): number {
  return /^[\s;:,]*(?:(?:but|whereas|while)\s)?/i.exec(text)?.[0].length ?? 0;
}

function normOf(text: string, evidence: () => Quote, last: string): readonly Norm[] {
  const stems = topicStems(text);
  if (stems.size === 0 || stems.size > MAX_STEMS) return [];
  const said = (): Said => ({ evidence: evidence(), text, stems });
  const only = ONLY.exec(text);
  if (only !== null) {
    const [, who = '', what = ''] = only;
    return [ban(said(), { subject: '', act: what, unless: [topicStems(who)] })];
  }
  if (BOUNDED.test(text)) return [demand(said(), text)];
  const behind = new RegExp(REFUSED_BEHIND.source, 'iu').exec(text) ?? NO_NAME.exec(text);
  if (behind !== null && !ENDED.test(behind[0])) {
    const before = text.slice(0, behind.index);
    const named = PRONOUN.test(before) ? last : before;
    return [
      ban(said(), {
        subject: text.slice(behind.index + behind[0].length),
        act: named,
        isThing: true,
        unless: [],
      }),
    ];
  }
  const ahead = FORBIDDING.exec(text.replace(CONDITION, (condition) => ' '.repeat(condition.length)));
  if (ahead !== null) return [aheadBan(said(), text, ahead, last)];
  return [demand(said(), text)];
}

/** What is said to be so: not what it is told apart from. */
function demand(said: Said, text: string): Demand {
  const reading = new SentenceReading(text);
  const isOrder = BOUNDED.test(text) || TO_BE_DONE.test(text);
  const wanted = topicWords(text).filter(({ from, to }) => {
    const polarity = reading.at(from, to);
    return polarity === 'for' || polarity === 'neutral' || isOrder;
  });
  const way = WAY.exec(text)?.[1];
  return {
    kind: 'demand',
    ...said,
    stems: new Set(wanted.map(({ stem }) => stem)),
    way: way === undefined ? NONE : topicStems(way),
    quantities: quantitiesIn(text),
  };
}

function aheadBan(said: Said, text: string, cue: RegExpExecArray, last: string): Ban {
  const before = text.slice(0, cue.index);
  const after = text.slice(cue.index + cue[0].length);
  const nobody = /^(?:no|nobody|no one|nothing|none)$/i.test(cue[0]) ? NOBODY.exec(after) : null;
  if (nobody !== null) return forbidden(said, `${before} ${nobody[1] ?? ''}`, after.slice(nobody[0].length));
  const given = subjectOf(before);
  const subject = PRONOUN.test(given) || /^[\s,]*and\s*$/i.test(given) ? last : given;
  // "No X", "rather than X": a thing follows and not an act.
  const isThing = /^(?:no|none|not|instead of|rather than|.* against)$/i.test(cue[0]);
  return forbidden(said, subject, after, isThing);
}

function forbidden(said: Said, about: string, act: string, isThing = false): Ban {
  const [done = '', ...behind] = act.split(UNLESS);
  // "A video without captions is not published": one with captions may be.
  const [subject = '', ...missing] = about.split(/\bwithout\b/i);
  return ban(said, {
    subject,
    act: done,
    isThing,
    lacking: missing.join(' '),
    unless: behind.map((part) => topicStems(part)),
  });
}

interface BanWords {
  readonly subject: string;
  readonly act: string;
  readonly isThing?: boolean;
  readonly lacking?: string;
  readonly unless: readonly ReadonlySet<string>[];
}

function ban(said: Said, { subject, act, isThing = false, lacking = '', unless }: BanWords): Ban {
  const verb = isThing ? undefined : verbOf(act);
  const rest = verb === undefined ? act : act.slice(verb.to);
  const items = listed(rest)
    .map((item) => phraseStems(item))
    .filter((item) => [...item].some((word) => !isWeak(word)));
  const named = new Set(optionsIn(rest).flatMap(({ from, to }) => [...topicStems(rest.slice(from, to))]));
  const whole = topicStems(act);
  const alternatives = items.length > 0 ? items : whole.size > 0 ? [whole] : [];
  return {
    kind: 'ban',
    ...said,
    subject: topicStems(subject),
    ...(verb !== undefined && items.length > 0 && { verb: verb.stem }),
    // What is said of a known option is judged as a stance on it.
    alternatives: alternatives.filter((item) => [...item].some((word) => !named.has(word))),
    lacking: topicStems(lacking),
    unless: unless.filter((words) => words.size > 0),
  };
}

/** "created or changed by hand": what stands behind the last of some acts is said of all of them. */
function listed(text: string): readonly string[] {
  const items = text.split(LIST);
  const [first = ''] = items;
  if (items.length < 2 || !/^\s*(?:be\s+)?\w+(?:ed|en|wn)\s*$/i.test(first)) return items;
  const tail = (items.at(-1) ?? '').replace(/^\s*\S+/, '');
  return items.map((item, index) => (index === items.length - 1 ? item : item + tail));
}

/** The first word behind the ban where more than a list follows it. */
function verbOf(act: string): { readonly stem: string; readonly to: number } | undefined {
  const start = /^\s*(?:be\s+)?/i.exec(act)?.[0].length ?? 0;
  const [first] = topicWords(act.slice(0, 80));
  if (first === undefined || first.from !== start) return undefined;
  return /^\s*(?:,|or\b|and\b|nor\b|$)/i.test(act.slice(first.to)) ? undefined : first;
}
