import { stem } from '../search/stem.js';
import { forEachRun } from '../search/word-split.js';
import type { DecisionParts, OptionItem } from './decision-parts.js';
import { type Quote, type QuotedSentence, quoteOf } from './quoted-sentence.js';

/** An option that an ADR names, with its line. */
export interface NamedOption {
  /** The words of its name, in order. */
  readonly words: readonly string[];
  readonly quote: Quote;
}

/** The options of an ADR: the one it chose, and those it did not choose. */
export interface RecordOptions {
  readonly chosen: readonly NamedOption[];
  readonly rejected: readonly NamedOption[];
}

const CHOSEN =
  /chosen (?:option|alternative)s?\W{0,20}?(?:is|was)?[\s:*_]{0,20}(?:["“]([^"”\n]{2,200})["”]|\W{0,20}([^"”*,.\n—(]{2,100}))/i;
const MARKED_CHOSEN = /(?<!not )\b(?:chosen|selected|accepted)\b/i;
/** "Use Kafka for events": the title names the choice. */
const TITLE =
  /^(?:we )?(?:will )?(?:use|adopt|choose|pick|switch to|move to|migrate to|standardi[sz]e on)\s+(.+?)(?:\s+(?:for|as|to|in|on|with|instead|over|when|where|across)\b.*)?$/i;
/** "RabbitMQ and NATS were rejected." */
const REJECTED_SENTENCE =
  /^((?:\p{Lu}[\p{L}\p{N}.+#-]*)(?:(?:,| and|, and| or|\s)\s*\p{Lu}[\p{L}\p{N}.+#-]*){0,6}) (?:was|were) (?:(?:considered|evaluated|tried|looked at|discussed)(?:,| and|; (?:both|all) were| but) ?)?(?:rejected|ruled out|dismissed|turned down|not chosen|discarded)\b/u;
/** "Change nothing" is not an option that a proposal could name. */
const NO_OPTION = /^\W*(?:do nothing|no change|status quo|leave|keep|stay|don['’]t|do not|not |none|we don)/i;
const LEADING = /^\W*(?:(?:option|alternative)\s*\w{1,2}\s*[:.)—-]\s*)?/i;
const NAME_END =
  /:|\s+[—–-]\s+|[;.,(](?:\s|$)|\b(?:because|was|were|is|are|would|but|since|has|had|have|gives?|means?)\b/;
const MAX_NAME = 120;
const MAX_WORDS = 6;

export function recordOptions(text: string, title: string, parts: DecisionParts): RecordOptions {
  const listed = parts.options.flatMap((option) => {
    const name = nameIn(option.item.text);
    const words = wordsOf(name);
    return words.length === 0 || words.length > MAX_WORDS ? [] : [{ option, name, words }];
  });
  const said = wordsOf(chosenName(text) ?? TITLE.exec(title)?.[1] ?? '');
  const isTaken = (words: readonly string[], option: OptionItem) =>
    MARKED_CHOSEN.test(option.item.text) || (said.length > 0 && (has(said, words) || has(words, said)));
  const taken = listed.filter(({ option, words }) => isTaken(words, option));
  const left = listed.filter(
    ({ option, name, words }) =>
      !taken.some((each) => each.words.join(' ') === words.join(' ')) &&
      (taken.length > 0 || option.isRejected) &&
      !NO_OPTION.test(name),
  );
  const asNamed = (item: QuotedSentence, words: readonly string[]) => ({ words, quote: quoteOf(text, item) });
  return {
    chosen: [
      ...taken.map(({ option, words }) => asNamed(option.item, words)),
      ...(taken.length === 0 && parts.title !== undefined && said.length > 0 && said.length <= MAX_WORDS
        ? [asNamed(parts.title, said)]
        : []),
    ],
    rejected: [
      ...left.map(({ option, words }) => asNamed(option.item, words)),
      ...parts.deciding.flatMap((sentence) =>
        rejectedNames(sentence.text).map((words) => asNamed(sentence, words)),
      ),
    ],
  };
}

/** Each run of letters and digits by its stem; a name of one letter counts as well. */
export function wordsOf(text: string): readonly string[] {
  const words: string[] = [];
  forEachRun(text, 0, text.length, (run) => words.push(stem(run.toLowerCase())));
  return words.filter((word) => !/^(?:a|an|the|our|own)$/.test(word));
}

/** Returns true if the words occur in sequence. */
export function has(text: readonly string[], wanted: readonly string[]): boolean {
  if (wanted.length === 0) return false;
  return text.some((_, at) => wanted.every((word, index) => text[at + index] === word));
}

function chosenName(text: string): string | undefined {
  const [, quoted, bare] = CHOSEN.exec(text) ?? [];
  return quoted ?? bare;
}

function rejectedNames(sentence: string): readonly (readonly string[])[] {
  const [, names] = REJECTED_SENTENCE.exec(sentence) ?? [];
  return (names ?? '')
    .split(/,| and | or /)
    .map(wordsOf)
    .filter(({ length }) => length > 0);
}

/** The name of an option: the text before its description. */
function nameIn(text: string): string {
  const from = LEADING.exec(text)?.[0].length ?? 0;
  const rest = text.slice(from, from + MAX_NAME);
  const end = rest.search(NAME_END);
  return end < 2 ? rest : rest.slice(0, end);
}
