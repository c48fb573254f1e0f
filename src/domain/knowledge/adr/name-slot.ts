import { phraseWords } from './topic-words.js';

/** "Write the refund service in Go": what is named for what, and in which way. */
export interface NameSlot {
  readonly names: readonly string[];
  /** What the name is chosen for, by its last word. */
  readonly head: string;
  /** All that is said of what it is chosen for. */
  readonly frame: readonly string[];
  /** The kind of verb that chooses it; undefined: "use", "move" and whatever goes with anything. */
  readonly how: number | undefined;
}

const NAME = '(?:\\p{Lu}[\\p{L}\\p{N}.+#/-]*[\\p{L}\\p{N}+#]|\\p{Lu})';
const SLOT = new RegExp(
  `\\b(?:in|with|on|over|to|onto|into|through|via|by|using|as)\\s+(?:(?:the|an?|plain|pure|managed)\\s+)?(${NAME}(?:,?\\s+(?:(?:and|or|with)\\s+)?${NAME})*)`,
  'gu',
);
const USED = new RegExp(
  `\\b(?:[Uu]s(?:e|es|ing)|[Aa]dopt(?:ing)?|[Ii]ntroduc(?:e|ing)|[Ii]ntegrat(?:e|ing))\\s+(?:(?:the|an?|plain|pure|managed)\\s+)?(${NAME}(?:\\s+(?:(?:and|or|with)\\s+)?${NAME})*)\\s+(?:for|in|as|on)\\b`,
  'gu',
);
const HOW: readonly RegExp[] = [
  /\b(?:re)?(?:writ|buil[dt]|implement|develop|cod(?:ed|ing)|program(?:med|ming))/i,
  /\b(?:stor|keep|kept|sav(?:e|ing)|persist|holds?|held|liv(?:e|es|ing)\b)/i,
  /\b(?:runs?\b|running|host|deploy|operat)/i,
  /\b(?:send|sent\b|publish|deliver|post(?:s|ed)?\b|emit|talk|exchang|connect|communicat)/i,
  /\b(?:log|sign|authenticat)\w*(?:[ -]in)?\b/i,
];
const WISH = /^.*\b(?:likes?|wants?|propos\w+|suggest\w*|plans?|needs?|going|decided?) to\b/i;
const CUT =
  /\b(?:of|that|which|who|for|from|at|in|on|with|to|when|is|are|was|were|will|would|must|shall|should|may|can|be)\b/;

const NAMED = /(?<![.!?:]\s+|^\W*)\p{Lu}[\p{L}\p{N}+#]*|\p{L}+\p{Lu}[\p{L}\p{N}]*/gu;

/** What looks like a name, in whichever place. */
export function namesIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(NAMED)].flatMap(([word]) => phraseWords(word).map(({ stem }) => stem)));
}

/** The names that a clause chooses, each with what it is chosen for. */
export function nameSlots(clause: string): readonly NameSlot[] {
  const slots = [...clause.matchAll(SLOT)].flatMap(({ 0: whole, 1: named = '', index }) => {
    const before = clause.slice(0, index).replace(WISH, '');
    return slotOf(named, before, whole.startsWith('to') ? before.replace(/\bwrit\w+/i, 'store') : before);
  });
  const used = [...clause.matchAll(USED)].flatMap((found) =>
    slotOf(found[1] ?? '', clause.slice(found.index + found[0].length), ''),
  );
  return [...slots, ...used];
}

function slotOf(named: string, around: string, before: string): readonly NameSlot[] {
  const segments = around.split(CUT).map((part) => phraseWords(part.replace(/\w+ly\b/g, ' ')));
  const head = segments.find((words) => words.length > 0)?.at(-1)?.stem ?? '';
  const names = phraseWords(named).map(({ stem }) => stem);
  const how = HOW.findIndex((verbs) => verbs.test(before));
  const frame = segments.flat().map(({ stem }) => stem);
  return names.length === 0 ? [] : [{ names, head, frame, how: how === -1 ? undefined : how }];
}
