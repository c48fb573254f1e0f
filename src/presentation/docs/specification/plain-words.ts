/** Words that stand for a value somebody meant to put in later. */
const PLACEHOLDER =
  /<[a-z_ ]+>|\.\.\.|…|\b(?:placeholder|todo|tbd|foo|bar|baz|lorem|ipsum|xxx+|your|my[-_ ]\w+|some[-_ ]\w+|insert)\b|\b\w+ (?:goes )?here\b/i;

/** Words that say nothing about a field. */
const EMPTY = new Set(
  'a an any argument be field for given in input is it its of or parameter property pass set string text that the this to used value which'.split(
    ' ',
  ),
);

/** The first word of an example that is no concrete value. */
export function placeholderIn(text: string): string | undefined {
  return PLACEHOLDER.exec(text)?.[0];
}

/** Whether a description of an argument says something that its name and type do not: at least two telling words. */
export function isDescription(text: string): boolean {
  const words = text.toLowerCase().match(/[a-z0-9][\w'-]*/g) ?? [];
  return new Set(words.filter((word) => !EMPTY.has(word))).size >= 2;
}
