import { type Claim, claimsIn, isQuestion, withoutReasons } from './claim.js';
import { namesIn } from './name-slot.js';
import { sentencesBetween } from './quoted-sentence.js';
import { phraseStems } from './topic-words.js';

export interface ProposedSentence {
  readonly text: string;
  /** The text without its reasons. */
  readonly asked: string;
  readonly claims: readonly Claim[];
  readonly stems: ReadonlySet<string>;
}

/** What somebody wants to do. */
export interface Proposal {
  readonly sentences: readonly ProposedSentence[];
  readonly text: string;
  /** What looks like a name in it. */
  readonly names: ReadonlySet<string>;
  /** Of everything in it and of its context. */
  readonly words: ReadonlySet<string>;
}

export function readProposal(description: string, context = ''): Proposal {
  const sentences = sentencesBetween(description, 0, description.length)
    .filter(({ text }) => !isQuestion(text))
    .map(({ text }) => ({
      text,
      asked: withoutReasons(text),
      claims: claimsIn(text),
      stems: phraseStems(text),
    }));
  return {
    sentences,
    text: description,
    names: namesIn(`x ${description}`),
    words: phraseStems(`${description} ${context}`),
  };
}
