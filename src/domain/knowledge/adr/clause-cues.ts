/** A place in a clause where what follows is left, taken or moved. */
export interface Cue {
  readonly at: number;
  readonly end: number;
  readonly kind: 'left' | 'without' | 'taken' | 'deed' | 'undone' | 'moved';
}

const DEED =
  /(?<!\b(?:the|an?|our|its|this) )\b(?:avoid|drop|stop|abandon|retire|ditch|reject|forbid|prohibit|ban|disallow|remov|eliminat|phas(?=\w+ out)|get(?:ting)? rid of|giv(?=\w+ up)|decommission|deprecat|bypass|skip|disabl|circumvent|forgo|opt out of|turn(?:ing)? off|switch(?:ing)? off|leav(?=\w+ out)|rul(?=\w+ out)|dismiss|discard|neglect|omit|waiv|replac|mask|redact|anonymis|anonymiz|cancel|terminat|ignor|exclud|unplug|sunset|scrap)(?:e|s|es|d|ed|ing|ping|ped|ning|ned|ting|ted)?(?: out| up| off)?\b/gi;
/** What is deleted or refused is not taken; that it was chosen cannot be told from that. */
const UNDONE =
  /(?<!\b(?:the|an?|our|its|this) )\b(?:delet(?:e|es|ing)|eras(?:e|es|ing)|archiv(?:e|es|ing)|recycl(?:e|es|ing)|purg(?:e|es|ing)|uninstall(?:s|ing)?|clean(?:s|ing)? up|tear(?:s|ing)? down|shut(?:s|ting)? down|refus(?:e|es|ing)|declin(?:e|es|ing)|turn(?:s|ing)? down|block(?:s|ing)?)\b/gi;
const LEFT =
  /\b(?:instead of|rather than|in place of|in lieu of|as opposed to|away from|(?<=\b(?:decided|voted?|advised?|and|or) )against|(?<=\b(?:cho(?:o?se|sen?|osing)|prefer\w*|favou?r\w*|pick\w*|select\w*)\b.{0,60})over)\b/gi;
const WITHOUT = /\b(?:without|with no)\b/gi;
const MOVED =
  /\b(?:replac(?:e|es|ed|ing)|swap(?:s|ped|ping)?|substitut(?:e|es|ed|ing))\b(?=.{1,120}\b(?:with|by|for)\b)|\b(?:mov(?:e|es|ed|ing)|migrat(?:e|es|ed|ing)|switch(?:es|ed|ing)?|convert(?:s|ed|ing)?|port(?:ed|ing)?|transition(?:ed|ing)?)\b.{0,60}?\bfrom\b(?=.{1,120}\b(?:to|onto|into)\b)/gi;
const TAKEN = /\bin favou?r of\b/gi;

export function cuesIn(clause: string): readonly Cue[] {
  const kinds = [
    ['moved', MOVED],
    ['without', WITHOUT],
    ['left', LEFT],
    ['taken', TAKEN],
    ['deed', DEED],
    ['undone', UNDONE],
  ] as const;
  const cues = kinds.flatMap(([kind, words]) =>
    [...clause.matchAll(words)].map((found) => ({
      kind,
      at: found.index,
      end: found.index + found[0].length,
    })),
  );
  cues.sort((a, b) => a.at - b.at);
  const before = (at: number) => clause.slice(Math.max(0, at - 12), at);
  const told = cues.filter(
    ({ kind, at, end }) =>
      kind !== 'deed' ||
      !clause.slice(at, end).endsWith('ed') ||
      /\b(?:we|they|ha(?:ve|s)) $/i.test(before(at)),
  );
  return told.filter((cue, index) => told.slice(0, index).every((other) => other.end <= cue.at));
}
