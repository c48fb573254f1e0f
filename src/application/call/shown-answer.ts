/** A structured result as text for a model. */
export interface ShownAnswer {
  /** Content of files, programs and documents: a block each, so that none can imitate another. */
  readonly texts: readonly string[];
  /** Notes of the server itself; these are in a block of their own. */
  readonly notes?: readonly string[];
  /** What is kept of texts that are too long (default: the beginning). */
  readonly keep?: 'ends';
  /** How to get what was cut; shown only if something was. */
  readonly rest?: string;
}

/** Converts the `value` of a success to text; `args` are the arguments of the call. */
export type ShowAnswer = (value: unknown, args: Readonly<Record<string, unknown>>) => ShownAnswer;
