/** `text`: the facts as a model reads them. `envelope`: the JSON of C1, as structured content too. */
export type AnswerStyle = 'text' | 'envelope';

/** Names the style of one call in its `_meta`. */
export const ANSWERS_META = 'castellan/answers';

export function isAnswerStyle(value: unknown): value is AnswerStyle {
  return value === 'text' || value === 'envelope';
}
