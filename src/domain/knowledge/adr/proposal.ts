import { type Claim, claimsIn, isQuestion, withoutReasons } from './claim.js';
import { type Manner, mannerOf } from './manner.js';
import { sentencesBetween } from './quoted-sentence.js';
import { phraseStems } from './topic-words.js';

export interface ProposedSentence {
  readonly text: string;
  /** The text without its reasons. */
  readonly asked: string;
  readonly claims: readonly Claim[];
  readonly stems: ReadonlySet<string>;
  readonly manner: Manner;
}

/** What somebody wants to do. */
export interface Proposal {
  readonly sentences: readonly ProposedSentence[];
  /** Of everything in it and of its context. */
  readonly words: ReadonlySet<string>;
}

/** "Can we just send it as JSON?" asks for it. */
const SUGGESTS = /^\W*(?:can|could) we\b|^\W*(?:why not|why don['’]t we|how about|what about)\b/i;

export function readProposal(description: string, context = ''): Proposal {
  const sentences = sentencesBetween(description, 0, description.length)
    .filter(({ text }) => !text.startsWith('(') && (!isQuestion(text) || SUGGESTS.test(text)))
    .map(({ text }) => ({
      text,
      asked: withoutReasons(text),
      claims: claimsIn(text),
      stems: phraseStems(text),
      manner: mannerOf(text),
    }));
  return { sentences, words: phraseStems(`${description} ${context}`) };
}
