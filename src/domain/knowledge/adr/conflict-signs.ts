import type { AdrPosition } from './adr-position.js';
import { EXCEPTION, type PassedOver } from './passed-over.js';
import type { Proposal, ProposedSentence } from './proposal.js';
import type { Quote } from './quoted-sentence.js';
import type { WordWeights } from './word-weights.js';

export interface Situation {
  readonly proposal: Proposal;
  readonly position: AdrPosition;
  readonly weights: WordWeights;
}

/**
 * What speaks for a conflict, and how much. No sign is enough by itself. The points are a logistic regression over the
 * labelled sets, rounded; they were checked by leaving out one set at a time.
 */
const POINTS = {
  isAsked: 1.75,
  isAdopting: 0.75,
  isUpkeep: -1.25,
  isLookedAt: -1.25,
  isRevived: 1.25,
  isExcused: 2,
  isKept: -1,
  /** Which share of the sentence's words the record has, and which share of its title the proposal has. */
  known: 2,
  title: 0.75,
  /** Each rare word of what was chosen that the sentence takes as well, four at most. */
  followed: -0.75,
  /** Which share of an option it takes, and each rare word of what else is told of options; as far as it is known. */
  option: 1.75,
  told: 1.75,
  /** Which share it has of what is refused, and how many rare words of it. */
  refused: 1.75,
  refusedWords: 0.5,
  /** Each rare word that it gives up of what was chosen; of what the decision gives up as well. */
  givenUp: 1.5,
  endedToo: -2,
  /** It names another figure for the same thing. */
  figure: 1.75,
} as const;
type Sign = keyof typeof POINTS;
export type Signs = Partial<Record<Sign, number>>;
/** Chosen so that nine of ten claims are right in the sets that were left out. */
export const ENOUGH = 4;
/** Without so much of one of them there is nothing to quote. */
const LEAST = 0.5;
const SIGNS = Object.keys(POINTS).filter((sign): sign is Sign => sign in POINTS);
const EXEMPT = 0.4;
const TOLD = 2 / 3;

export function pointsOf(signs: Signs): number {
  return SIGNS.reduce((sum, sign) => sum + POINTS[sign] * (signs[sign] ?? 0), 0);
}

/** The sentence of the record that goes against a sentence of the proposal. */
export interface Evidence {
  readonly kind: PassedOver['kind'] | 'givenUp';
  readonly quote: Quote;
  /** How much of what is passed over the sentence has, from 0 to 1, and how many rare words of it. */
  readonly share: number;
  readonly rare: number;
  readonly strength: number;
}

/** What one sentence of a proposal and a record have to do with each other. */
export class Comparison {
  readonly #taken: ReadonlySet<string>;
  readonly #left: readonly string[];

  constructor(
    private readonly sentence: ProposedSentence,
    private readonly situation: Situation,
  ) {
    const { claims, text } = sentence;
    const takes = claims.filter(({ side }) => side === 'takes');
    const taken = new Set(takes.flatMap(({ stems, deed }) => (deed === undefined ? stems : [deed])));
    // "No call except through the gateway" gives nothing up.
    const leaves = EXCEPTION.test(text) ? [] : claims.filter(({ side }) => side === 'leaves');
    this.#left = [...new Set(leaves.flatMap(({ object }) => object))].filter((stem) => !taken.has(stem));
    this.#taken = taken;
  }

  /** How the sentence speaks, what it takes and what it gives up, and what may be quoted, the strongest first. */
  signs(): { readonly signs: Signs; readonly evidence: readonly Evidence[] } {
    const { proposal, position, weights } = this.situation;
    const { stems, manner } = this.sentence;
    const known = this.#share(stems, position.words);
    const [option, refused, told] = [this.#best('option'), this.#best('refused'), this.#best('told')];
    const givenUp = this.#givenUp();
    const followed = [...this.#taken].filter((stem) => position.chosen.has(stem) && weights.isTelling(stem));
    const ended = this.#left.filter((stem) => this.#isEnded(stem));
    const signs = {
      ...manner,
      isKept: Math.max(...proposal.sentences.map((each) => each.manner.isKept)),
      known,
      title: this.#share(position.title, proposal.words),
      followed: Math.min(4, weights.sum(followed)),
      option: (option?.strength ?? 0) * known,
      told: Math.min(2, told?.rare ?? 0) * known,
      refused: refused?.share ?? 0,
      refusedWords: Math.min(2, refused?.rare ?? 0),
      givenUp: givenUp.strength,
      endedToo: Math.min(2, weights.sum(ended)),
    };
    const evidence = [option, refused, told, givenUp].flatMap((each) =>
      each !== undefined && each.strength >= LEAST ? each : [],
    );
    return { signs, evidence: evidence.sort((one, other) => other.strength - one.strength) };
  }

  /** Of what is passed over in one way, that which the sentence has most of. */
  #best(kind: PassedOver['kind']): Evidence | undefined {
    const { position, weights } = this.situation;
    let best: Evidence | undefined;
    let most = 0;
    for (const { parts, words, evidence: quote } of position.passed.filter((each) => each.kind === kind)) {
      if (this.#isAllowed(words)) continue;
      for (const part of parts) {
        const taken = this.#takenOf(part);
        if ([...part].some((stem) => taken.has(`outside-${stem}`))) continue;
        const shared = [...part].filter((stem) => taken.has(stem));
        const own = kind === 'refused' ? shared : shared.filter((stem) => !position.chosen.has(stem));
        const rare = weights.sum(own.filter((stem) => weights.isTelling(stem)));
        const share = this.#share(part, taken);
        const value = kind === 'told' ? rare : share * share * Math.min(rare, 1.5);
        if (rare === 0 || value <= most) continue;
        most = value;
        const strength = kind === 'told' ? rare * TOLD : share * Math.min(1, rare);
        best = { kind, quote, share, rare, strength };
      }
    }
    return best;
  }

  /** Of a deed that is forbidden, all that it is done to: "delete old entries". */
  #takenOf(part: ReadonlySet<string>): ReadonlySet<string> {
    const deeds = this.sentence.claims.filter(({ deed }) => deed !== undefined && part.has(deed));
    return deeds.length === 0
      ? this.#taken
      : new Set([...this.#taken, ...deeds.flatMap(({ stems }) => stems)]);
  }

  /** What was chosen and is given up, with the sentence that chose it. */
  #givenUp(): Evidence {
    const { position, weights } = this.situation;
    const stems = this.#left.filter((stem) => position.chosen.has(stem) && weights.isTelling(stem));
    const shared = (own: readonly string[]) => own.filter((stem) => stems.includes(stem)).length;
    const [best] = [...position.claims].sort((one, other) => shared(other.stems) - shared(one.stems));
    const rare = Math.min(2, weights.sum(stems));
    return {
      kind: 'givenUp',
      quote: best?.evidence ?? position.lead,
      share: 0,
      rare,
      strength: rare,
    };
  }

  #isEnded(stem: string): boolean {
    const { passed, chosen } = this.situation.position;
    if (chosen.has(stem)) return false;
    return passed.some(({ kind, parts }) => kind !== 'told' && parts.some((part) => part.has(stem)));
  }

  /** The sentence speaks of something that the decision allows, or does not speak about. */
  #isAllowed(words: ReadonlySet<string>): boolean {
    return this.situation.position.allowed.some((allowed) => {
      const own = [...allowed].filter((stem) => !words.has(stem));
      const met = own.filter((stem) => this.sentence.stems.has(stem));
      return met.length > 0 && met.length >= own.length * EXEMPT;
    });
  }

  #share(wanted: ReadonlySet<string>, given: ReadonlySet<string>): number {
    const { weights } = this.situation;
    return weights.sum([...wanted].filter((stem) => given.has(stem))) / Math.max(1e-9, weights.sum(wanted));
  }
}
