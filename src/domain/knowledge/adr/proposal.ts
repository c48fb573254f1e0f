import { type Claim, claimsIn, isQuestion } from './claim.js';
import { sentencesBetween } from './quoted-sentence.js';
import { phraseStems } from './topic-words.js';

export interface ProposedSentence {
  readonly text: string;
  readonly claims: readonly Claim[];
  readonly stems: ReadonlySet<string>;
}

/** What somebody wants to do. */
export interface Proposal {
  readonly sentences: readonly ProposedSentence[];
  /** Of everything in it and of its context. */
  readonly words: ReadonlySet<string>;
}

export function readProposal(description: string, context = ''): Proposal {
  const sentences = sentencesBetween(description, 0, description.length)
    .filter(({ text }) => !isQuestion(text))
    .map(({ text }) => ({ text, claims: claimsIn(text), stems: phraseStems(text) }));
  return { sentences, words: phraseStems(`${description} ${context}`) };
}
