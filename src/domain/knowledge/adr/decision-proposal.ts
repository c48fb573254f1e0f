import { type Polarity, SentenceReading } from './clause-polarity.js';
import { optionsIn } from './option-families.js';
import { type Quantity, quantitiesIn } from './quantity.js';
import { sentencesBetween } from './quoted-sentence.js';
import { phraseWords, type TopicWord, topicStems, topicWords } from './topic-words.js';

interface Mention {
  readonly name: string;
  readonly family: string;
  readonly side: Polarity;
}

/** One thing that is proposed. */
export interface ProposedSentence {
  readonly text: string;
  /** Of what is to be done. */
  readonly affirmed: ReadonlySet<string>;
  /** Of everything in it. */
  readonly stems: ReadonlySet<string>;
  /** What it does by leaving something: "delete", "skip". */
  readonly deeds: ReadonlySet<string>;
  /** What is to be left, a phrase each. */
  readonly refused: readonly ReadonlySet<string>[];
  /** Every word of what is to be left, and of where. */
  readonly left: ReadonlySet<string>;
  readonly quantities: readonly Quantity[];
}

const FOREIGN =
  /\b(?:(?:partner|vendor|customer|supplier|client|provider|bank|competitor|student|contractor|agency)(?:'s|s')|third[- ]party|external|legacy)\s+(?:[\w-]+\s+){0,4}$/i;
const EVERYTHING = /\b(?:everything|everywhere|all|every|whole|entire|entirely|company-wide|any)\b/i;
/** A trial commits nobody. */
const TRIAL =
  /\b(?:(?:unit|integration|local|load|smoke) tests? only|for (?:local |unit |integration )?tests?(?: only)?\b|in tests? only|test fixtures?|locally|local development|developer (?:laptops?|machines?)|proof of concept|(?:an?|the|our|quick|first) prototype\b(?!['’])|hackathon|throwaway|sandbox environment|spike|experiments?|demo)\b/i;
const ANEW =
  /[,;]|\b(?:and|or|nor|without|not|no|never|instead|than|of having|bypass\w*|skip\w*|drop\w*|remov\w*|replac\w*|disabl\w*|stop\w*|avoid\w*)\b/i;
const PLACE = /\b(?:in|on|at|for|from|when|during|to|as|so|with|while|until|after|before)\b/i;
const WINDOW = 4;

/** What somebody wants to do, read for what it takes and what it leaves. */
export class DecisionProposal {
  readonly stems: ReadonlySet<string>;
  readonly touchesEverything: boolean;
  /** What it is for: its words without the names of options. */
  readonly purpose: ReadonlySet<string>;
  readonly isTrial: boolean;
  readonly sentences: readonly ProposedSentence[];
  readonly #readings: readonly SentenceReading[];
  readonly #mentions: readonly Mention[];

  constructor(description: string, context = '') {
    // A question proposes nothing yet.
    this.#readings = sentencesBetween(description, 0, description.length)
      .filter(({ text }) => !/\?["'”)]*$/.test(text))
      .map(({ text }) => new SentenceReading(text));
    this.stems = topicStems(`${description} ${context}`);
    this.touchesEverything = EVERYTHING.test(description);
    this.isTrial = TRIAL.test(description);
    this.#mentions = withoutDoubt(this.#readings.flatMap(mentionsIn));
    this.sentences = this.#readings.map(proposed);
    const named = topicStems(
      optionsIn(description)
        .map(({ from, to }) => description.slice(from, to))
        .join(' '),
    );
    this.purpose = new Set([...this.stems].filter((word) => !named.has(word)));
  }

  /** The known options it takes, or leaves. */
  options(side: 'for' | 'against'): readonly Mention[] {
    return this.#mentions.filter((mention) => mention.side === side);
  }

  /** The side it takes on an option that is known by its words only. */
  sideOn(stems: readonly string[]): Polarity | undefined {
    for (const reading of this.#readings) {
      const place = phraseIn(reading.text, stems);
      if (place === undefined) continue;
      const side = reading.at(place.from, place.to);
      return side === 'neutral' && !reading.wants ? 'for' : side;
    }
    return undefined;
  }
}

function proposed(reading: SentenceReading): ProposedSentence {
  const { text } = reading;
  const words = phraseWords(text).map((word) => ({ ...word, polarity: reading.at(word.from, word.to) }));
  const affirmed = words.filter(({ polarity }) => polarity !== 'against' && polarity !== 'aside');
  const refused = words.filter(({ polarity }) => polarity === 'against');
  const deeds = topicStems(reading.deeds.join(' '));
  return {
    text,
    affirmed: new Set(affirmed.map(({ stem }) => stem)),
    stems: new Set(words.map(({ stem }) => stem)),
    deeds,
    refused: phrases(
      text,
      refused.filter(({ stem }) => !deeds.has(stem)),
    ),
    left: new Set(refused.map(({ stem }) => stem)),
    quantities: quantitiesIn(text),
  };
}

/** The things that are left; what stands behind a preposition says where, and is not left itself. */
function phrases(text: string, words: readonly TopicWord[]): readonly ReadonlySet<string>[] {
  const found: Set<string>[] = [];
  let end = -1;
  let isPlace = false;
  for (const { stem, from, to } of words) {
    const current = found.at(-1);
    const between = end === -1 ? ',' : text.slice(end, from);
    const isNew = between.length > 40 || ANEW.test(between);
    if (isNew || PLACE.test(between)) isPlace = !isNew;
    if (!isPlace) {
      if (current === undefined || isNew) found.push(new Set([stem]));
      else current.add(stem);
    }
    end = to;
  }
  return found;
}

function mentionsIn(reading: SentenceReading): readonly Mention[] {
  // How others speak to us is theirs to decide.
  return optionsIn(reading.text)
    .filter(({ from }) => !FOREIGN.test(reading.text.slice(Math.max(0, from - 80), from)))
    .map(({ name, family, from, to }) => ({ name, family, side: reading.ofOption(from, to) }));
}

/** A bare name is meant when nothing else is said; and what is taken somewhere is not left elsewhere. */
function withoutDoubt(mentions: readonly Mention[]): readonly Mention[] {
  const decided = mentions.filter(({ side }) => side === 'for' || side === 'against');
  if (decided.length > 0) return decided;
  const bare = mentions.filter(({ side }) => side === 'neutral');
  const names = new Set(bare.map(({ name }) => name));
  return names.size === 1 ? bare.map((mention) => ({ ...mention, side: 'for' })) : [];
}

function phraseIn(sentence: string, stems: readonly string[]): { from: number; to: number } | undefined {
  const words = topicWords(sentence);
  for (let index = 0; index < words.length; index += 1) {
    const near = words.slice(index, index + stems.length + WINDOW - 1);
    const first = near[0];
    const last = near.findLast((word) => stems.includes(word.stem));
    if (first === undefined || last === undefined || !stems.includes(first.stem)) continue;
    if (stems.every((wanted) => near.some((word) => word.stem === wanted))) {
      return { from: first.from, to: last.to };
    }
  }
  return undefined;
}
