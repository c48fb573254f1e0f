import { clausesOf } from './clauses.js';
import type { DecisionParts, OptionItem, ToldSentence } from './decision-parts.js';
import { type Quote, type QuotedSentence, quoteOf } from './quoted-sentence.js';
import { phraseStems } from './topic-words.js';

/** Something that a record speaks of and did not choose. */
export interface PassedOver {
  /** An option that was not chosen; what the decision forbids or ends; a sentence about what was looked at. */
  readonly kind: 'option' | 'refused' | 'told';
  /** What is passed over, whole and by the items of a list. */
  readonly parts: readonly ReadonlySet<string>[];
  /** All that is said with it. */
  readonly words: ReadonlySet<string>;
  readonly evidence: Quote;
}

/** What a record takes and what it passes over. */
export interface Choices {
  readonly passed: readonly PassedOver[];
  readonly chosen: ReadonlySet<string>;
  /** Words of each thing that it allows or does not speak about. */
  readonly allowed: readonly ReadonlySet<string>[];
}

const CHOSEN =
  /chosen (?:option|alternative)s?\W{0,20}?(?:is|was)?[\s:*_]{0,20}(?:["“]([^"”\n]{2,200})["”]|\W{0,20}([^"”*,.\n—(]{2,100}))/i;
const REFUSAL =
  /(?<!-)\b(?:(?<ended>refus\w+|forbid\w*|forbade|ban(?:s|ned)?|prohibit\w*|reject\w*|disallow\w*|den(?:y|ies|ied)|avoid\w*|exclud\w*|remov\w+|retir\w+|delet(?:e|es|ed)|drop(?:s|ped)?|stop(?:s|ped)?|switched off|phased out|turned down|rul(?:e|es|ed) out|discarded|dismissed|discounted|discouraged|deprecated|abandon\w*|neglected|replac(?:e|es|ed|ing)|declin\w+|revoked?|ignor\w+|out of the question|decided against|supersed\w+|(?:moved|migrated|ported|converted|rewritten)(?= (?:to|onto|into|in)\b))|not|never|no|nor|neither|nothing|nobody|none|cannot|\w+n['’]t|instead of|rather than|in place of)\b/gi;
const BE = /\b(?:is|are|was|were|be|been|being|gets?)\s*(?:\w+ly )?$/i;
/** How it was, or would have been. */
const TOLD = /\b(?:was|were|would|had|could|might|tried|used to|looked at|considered)\b/i;
const DECIDED =
  /\b(?:we|was|were|been|is|have) (?:\w+ )?(?:decided|chosen|agreed|selected|adopted|picked|settled)\b(?! against)|\bchosen option|\bdecided to\b|\bchose\b/i;
/** What was looked at, "X would have been faster", "X was tried". */
const TELLS =
  /\b(?:looked at|considered|options?|alternatives?|evaluated|compared|candidates?|choices?|contenders?|either|would|could have|tried|used to|(?:was|were) used)\b/i;
const ALLOWS =
  /\b(?:permitted|allowed|(?:is|are) fine|acceptable|exempt|exceptions?|(?:may|can) (?:be|stay|use|keep|still|also|remain|continue))\b/i;
export const EXCEPTION = /\b(?:except|unless|apart from|other than)\b/i;
/** What the decision does not speak about. */
const SCOPE =
  /\b(?:not (?:a )?part of|out of scope|not (?:concerned|affected|touched|covered)|(?:does|do) not (?:apply|concern|affect|cover)|outside (?:of )?(?:the scope|this)|aren['’]t (?:affected|concerned))\b/i;
/** A bound forbids only what is beyond it. */
const BOUND = /\b(?:longer|more|less|fewer|older|later) than\b|\bat (?:most|least)\b|\bexceed/i;
const CONDITION = /\b(?:when|where|if|once|until|unless|as soon as|before|after|while)\b/i;
const ITEMS = /[,()/;]|\b(?:and|or|nor|plus|with)\b|\s\+\s/i;
/** "Good, because …" in a list of pros and cons. */
const PRAISE = /^\W*(?:good|pros?|neutral|advantages?|positive)\b/i;
const NO_OPTION = /^\W*(?:do nothing|no change|status quo|leave|don['’]t|do not|not |we don)/i;
const LEADING =
  /^\W*(?:(?:option|alternative)\s*\w{1,2}\s*[:.)—-]\s*)?(?:(?:we (?:could|might)|one (?:option|alternative)[^.]{0,20}? (?:is|was)(?: to)?)\s+)?/i;
const LABEL_END =
  /\s+[—–-]\s+|[;.](?:\s|$)|\b(?:because|was|were|is|are|would|but|since|has|had|have|gives?|means?|that)\b/;
const MAX_LABEL = 200;
const MAX_LABEL_WORDS = 10;
const MAX_TOLD = 600;
const SAME = 0.6;
const LIKELY = 0.34;

/** The option that the record names as its choice. */
export function chosenIn(text: string): string {
  const [, quoted, bare] = CHOSEN.exec(text) ?? [];
  return quoted ?? bare ?? '';
}

interface Label {
  readonly option: OptionItem;
  readonly text: string;
  readonly stems: ReadonlySet<string>;
}

export function choicesOf(text: string, parts: DecisionParts): Choices {
  const labels = parts.options
    .map((option) => labelled(option))
    .filter(({ stems }) => stems.size > 0 && stems.size <= MAX_LABEL_WORDS);
  const taken = chosenLabels(text, parts, labels);
  const left = labels.filter(
    (label) =>
      !taken.has(label) &&
      (taken.size > 0 || label.option.isRejected) &&
      !NO_OPTION.test(label.text) &&
      !ALLOWS.test(label.option.item.text),
  );
  const chosen = new Set([...taken].flatMap(({ stems }) => [...stems]));
  const optionOf = (sentence: QuotedSentence, label: string): PassedOver => {
    const words = phraseStems(sentence.text);
    return { kind: 'option', parts: itemsOf(label), words, evidence: quoteOf(text, sentence) };
  };
  const passed = left.map(({ option, text: label }) => optionOf(option.item, label));
  const allowed: ReadonlySet<string>[] = [];
  for (const sentence of [...(parts.title === undefined ? [] : [parts.title]), ...parts.deciding]) {
    const label = sentence === parts.title ? undefined : leftLabel(sentence.text, left);
    const scope = sentence.text.search(SCOPE);
    if (label !== undefined) passed.push(optionOf(sentence, label));
    else if (scope !== -1) allowed.push(phraseStems(sentence.text.slice(0, scope)));
    else read(text, sentence, passed, chosen, allowed);
  }
  for (const each of parts.told) passed.push(...toldOf(text, each, [...taken]));
  return { passed, chosen, allowed };
}

/** One sentence of the decision, clause by clause. */
function read(
  text: string,
  sentence: QuotedSentence,
  passed: PassedOver[],
  chosen: Set<string>,
  allowed: ReadonlySet<string>[],
): void {
  const evidence = quoteOf(text, sentence);
  const at = sentence.text.search(EXCEPTION);
  if (at !== -1) allowed.push(phraseStems(sentence.text.slice(at)));
  let isTold = false;
  for (const clause of clausesOf(at === -1 ? sentence.text : sentence.text.slice(0, at))) {
    const words = phraseStems(clause);
    const refusals = [...(clause.split(CONDITION)[0] ?? '').matchAll(REFUSAL)];
    const [first] = refusals;
    const isAllowed = ALLOWS.test(clause) && !/\b(?:not|never|no)\b/i.test(clause);
    // "A video without captions is not published" asks for captions.
    const isDouble =
      /\bwithout\b/i.test(clause) || (refusals.length % 2 === 0 && /\breplac|\bprevent/i.test(clause));
    if (isAllowed) allowed.push(phraseStems(clause.split(ALLOWS)[0] ?? ''));
    isTold ||= TOLD.test(clause) && !DECIDED.test(clause);
    if (first !== undefined && !isAllowed) {
      if (isDouble || BOUND.test(clause)) continue;
      const [refused, kept] = refusedIn(clause, first);
      for (const stem of phraseStems(kept)) chosen.add(stem);
      const parts = itemsOf(refused);
      if (parts.length > 0) passed.push({ kind: 'refused', parts, words, evidence });
    } else if (isTold && !isAllowed) passed.push({ kind: 'told', parts: [words], words, evidence });
    // To work without a thing is not to choose it.
    else for (const stem of phraseStems(clause.split(/\bwithout\b/i)[0] ?? '')) chosen.add(stem);
  }
}

/** What stands beside a refusal: before it ("X is retired", "X is not kept in Y"), or behind it ("no X", "drop X"). */
function refusedIn(
  clause: string,
  { 0: cue, index, groups }: RegExpMatchArray,
): readonly [refused: string, kept: string] {
  const before = clause.slice(0, index);
  const after = clause.slice((index ?? 0) + cue.length);
  const isPassive = BE.test(before) || /^\W*(?:be|been)\b/.test(after);
  if (/^(?:instead of|rather than|in place of)$/i.test(cue)) return [after, before];
  if (isPassive && phraseStems(before).size > 0)
    return groups?.ended === undefined
      ? [clause, '']
      : [before, /^(?:mov|migr|port|conv|rewr)/i.test(cue) ? after : ''];
  const [, taker = ''] = /^replac/i.test(cue) ? after.split(/\b(?:with|by)\b(.*)/s) : [];
  return [after, taker === '' ? '' : `${before} x ${taker}`];
}

/** What is told of options and of how things were; not of the option that was chosen. */
function toldOf(
  text: string,
  { sentence, heading, isBackground }: ToldSentence,
  taken: readonly Label[],
): readonly PassedOver[] {
  const said = sentence.text;
  if (said.length > MAX_TOLD || said.endsWith('?')) return [];
  const label = phraseStems(labelIn(said));
  const isTaken = taken.some(({ stems }) => covers(phraseStems(heading), stems) || covers(label, stems));
  const isOther = isBackground ? !TELLS.test(said) : PRAISE.test(said) || ALLOWS.test(said) || isTaken;
  if (isOther) return [];
  const words = phraseStems(said);
  return [{ kind: 'told', parts: [words], words, evidence: quoteOf(text, sentence) }];
}

function covers(words: ReadonlySet<string>, wanted: ReadonlySet<string>): boolean {
  return [...wanted].filter((stem) => words.has(stem)).length >= wanted.size * SAME;
}

function labelled(option: OptionItem): Label {
  const text = labelIn(option.item.text);
  return { option, text, stems: new Set([...phraseStems(text)].filter((stem) => !/['’]/.test(stem))) };
}

/** The name of an option: what stands before a colon, or before what is said of it. */
function labelIn(text: string): string {
  const from = LEADING.exec(text)?.[0].length ?? 0;
  const rest = text.slice(from, from + MAX_LABEL);
  const end = rest.search(LABEL_END);
  const colon = rest.slice(0, 90).indexOf(':');
  const [first = rest.length] = [end, colon].filter((at) => at !== -1).sort((one, other) => one - other);
  return first < 2 ? rest : rest.slice(0, first);
}

function chosenLabels(
  text: string,
  { deciding, title }: DecisionParts,
  labels: readonly Label[],
): Set<Label> {
  const stems = phraseStems(chosenIn(text));
  const found = labels.filter(
    ({ option, stems: own }) =>
      covers(stems, own) || /(?<!not )\b(?:chosen|selected|accepted)\b/i.test(option.item.text),
  );
  if (found.length > 0) return new Set(found);
  // Without a word of which was chosen, it is the one that title and decision name most of.
  const lead = deciding.find((sentence) => !/\bchosen option/i.test(sentence.text));
  const said = phraseStems(`${title?.text ?? ''} x ${lead?.text ?? ''}`);
  const share = ({ stems: own }: Label) => [...own].filter((stem) => said.has(stem)).length / own.size;
  const [best, second] = labels
    .filter(({ option }) => !option.isRejected)
    .sort((one, other) => share(other) - share(one));
  const isClear = second === undefined || (best !== undefined && share(second) < share(best));
  return new Set(best !== undefined && isClear && share(best) >= LIKELY ? [best] : []);
}

/** "InfluxDB: fast, but …" within the decision. */
function leftLabel(sentence: string, left: readonly Label[]): string | undefined {
  const label = labelIn(sentence);
  const stems = phraseStems(label);
  if (stems.size === 0) return undefined;
  const isNamed = sentence.includes(`${label}:`);
  const isSaid = isNamed || TOLD.test(sentence) || sentence.search(REFUSAL) !== -1;
  const isSame = left.some(({ stems: own }) => {
    const shared = [...own].filter((stem) => stems.has(stem)).length;
    return shared === own.size ? isSaid || shared === stems.size : isNamed && shared === stems.size;
  });
  return isSame ? label : undefined;
}

function itemsOf(text: string): readonly ReadonlySet<string>[] {
  const whole = phraseStems(text);
  const items = text.split(ITEMS).map((item) => phraseStems(item));
  return [whole, ...items.filter(({ size }) => size < whole.size)].filter(({ size }) => size > 0);
}
