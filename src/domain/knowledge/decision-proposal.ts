import { type Polarity, polarityAt } from './clause-polarity.js';
import { optionsIn } from './option-families.js';
import { sentencesBetween } from './quoted-sentence.js';
import { topicStems, topicWords } from './topic-words.js';

export type Side = Exclude<Polarity, 'neutral'>;

interface Mention {
  readonly name: string;
  readonly family: string;
  readonly side: Polarity;
}

const FOREIGN =
  /\b(?:(?:partner|vendor|customer|supplier|client|provider|bank|competitor)(?:'s|s')|third[- ]party|external|legacy)\s+(?:[\w-]+\s+){0,3}$/i;
const EVERYTHING = /\b(?:everything|everywhere|all|every|whole|entire|entirely|company-wide|any)\b/i;
const REFUSING =
  /\b(?:without|skip\w*|no longer|drop\w*|remov\w*|disabl\w*|stop\w*|bypass\w*|exempt\w*|don't|do not|not|never|abandon\w*|omit\w*|ignor\w*|turn(?:ing)? off|instead of|rather than|relax\w*|waiv\w*|avoid\w*|give up)\b/gi;
const WINDOW = 4;

/** What somebody wants to do, read for which options it takes and which it leaves. */
export class DecisionProposal {
  readonly stems: ReadonlySet<string>;
  readonly touchesEverything: boolean;
  readonly #sentences: readonly string[];
  readonly #mentions: readonly Mention[];

  constructor(description: string, context = '') {
    this.#sentences = sentencesBetween(description, 0, description.length).map(({ text }) => text);
    this.stems = topicStems(`${description} ${context}`);
    this.touchesEverything = EVERYTHING.test(description);
    this.#mentions = withoutDoubt(this.#sentences.flatMap(mentionsIn));
  }

  /** The known options it takes, or leaves. */
  options(side: Side): readonly Mention[] {
    return this.#mentions.filter((mention) => mention.side === side);
  }

  /** The side it takes on an option that is known by its words only. */
  sideOn(stems: readonly string[]): Side | undefined {
    for (const sentence of this.#sentences) {
      const place = phraseIn(sentence, stems);
      if (place === undefined) continue;
      const side = polarityAt(sentence, place.from, place.to);
      return side === 'neutral' ? 'for' : side;
    }
    return undefined;
  }

  /** The share of these words that one sentence has, said without a refusal. */
  affirms(stems: ReadonlySet<string>): number {
    const shares = this.#sentences.map((sentence) => {
      const [refusal] = sentence.matchAll(REFUSING);
      const said = topicStems(refusal === undefined ? sentence : sentence.slice(0, refusal.index));
      return shareOf(stems, said);
    });
    return Math.max(0, ...shares);
  }

  /** The share of these words that stand close behind a refusal. */
  refuses(stems: ReadonlySet<string>): number {
    const shares = this.#sentences.flatMap((sentence) =>
      [...sentence.matchAll(REFUSING)].map((refusal) => {
        const [behind = ''] = sentence
          .slice(refusal.index + refusal[0].length)
          .split(/[,;]|\b(?:and|but|with|because|since)\b/i);
        return shareOf(stems, topicStems(behind));
      }),
    );
    return Math.max(0, ...shares);
  }
}

function mentionsIn(sentence: string): readonly Mention[] {
  // How others speak to us is theirs to decide.
  return optionsIn(sentence)
    .filter(({ from }) => !FOREIGN.test(sentence.slice(0, from)))
    .map(({ name, family, from, to }) => ({ name, family, side: polarityAt(sentence, from, to) }));
}

/** A bare name is meant when nothing else is said; and what is taken somewhere is not left elsewhere. */
function withoutDoubt(mentions: readonly Mention[]): readonly Mention[] {
  const decided = mentions.filter(({ side }) => side !== 'neutral');
  if (decided.length > 0) return decided;
  const names = new Set(mentions.map(({ name }) => name));
  return names.size === 1 ? mentions.map((mention) => ({ ...mention, side: 'for' })) : [];
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

function shareOf(wanted: ReadonlySet<string>, said: ReadonlySet<string>): number {
  const hits = [...wanted].filter((word) => said.has(word)).length;
  return hits < 2 ? 0 : hits / wanted.size;
}
