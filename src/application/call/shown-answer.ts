/** A structured answer as a model reads it. */
export interface ShownAnswer {
  /** What files, programs and documents say: a content block each, so that none can pass for another. */
  readonly texts: readonly string[];
  /** What the server itself says about them; these stand in a block of their own. */
  readonly notes?: readonly string[];
  /** What is kept of texts that are too long: the beginning if absent. */
  readonly keep?: 'ends';
  /** How to get what is cut; told only if something is. */
  readonly rest?: string;
}

/** Turns the `value` of a success into text; `args` are the arguments of the call. */
export type ShowAnswer = (value: unknown, args: Readonly<Record<string, unknown>>) => ShownAnswer;
