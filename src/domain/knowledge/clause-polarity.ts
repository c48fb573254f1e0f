/** Whether what stands at a place of a sentence is wanted, refused, or merely mentioned. */
export type Polarity = 'for' | 'against' | 'neutral';

const REFUSING = [
  "instead of|rather than|in place of|in lieu of|as opposed to|compared (?:to|with)|unlike|versus|vs\\.?|not|n't|never|cannot|neither|nor|without|avoid(?:s|ing)?|no longer|stop(?:s|ped|ping)?(?: using| to use)?",
  'drop(?:s|ped|ping)?|remov(?:e|es|ed|ing)|replac(?:e|es|ing)|away from|get(?:ting)? rid of|ban(?:s|ned|ning)?|forbid(?:s|den)?|prohibit(?:s|ed)?|disallow(?:s|ed)?|reject(?:s|ed|ing)?|retir(?:e|es|ing)|deprecat(?:e|es|ing)|abandon(?:s|ing)?|eliminat(?:e|es|ing)|phas(?:e|es|ing) out|decommission(?:s|ing)?|disabl(?:e|es|ing)|skip(?:s|ping)?|bypass(?:es|ing)?|ditch(?:es|ing)?|revert(?:ing)?|sunset(?:ting)?|turn(?:ing)? off|switch(?:ing)? off|delet(?:e|ing)|against',
  'no|none of|statt|anstatt|anstelle von|nicht|kein(?:e|en|er)?|ohne|ersetz(?:en|t)|au lieu de|à la place de|sans|remplacer|en lugar de|en vez de|sin|reemplazar|em vez de|sem',
].join('|');

const WANTING = [
  'us(?:e|es|ed|ing)|adopt(?:s|ed|ing)?|introduc(?:e|es|ed|ing)|choos(?:e|es|ing)|chose|chosen(?: option)?|pick(?:s|ed|ing)?|select(?:s|ed|ing)?|prefer(?:s|red)?|favou?r(?:s|ed|ing)?|in favou?r of|go(?:ing)? with|standardi[sz](?:e|es|ing) on|rely(?:ing)? on|build(?:ing)?|built|implement(?:s|ed|ing)?|expos(?:e|es|ed|ing)|stor(?:e|es|ed|ing)|keep(?:s|ing)?|kept|writ(?:e|es|ten|ing)|deploy(?:s|ed|ing)?|run(?:s|ning)?|migrat(?:e|es|ing) to|mov(?:e|es|ing) to|switch(?:es|ing)? to|add(?:s|ed|ing)?|allow(?:s|ed|ing)?|embrac(?:e|ing)|mandate|require|with|to|via|through|let|put|make|have|publish|send|call|create|start|enable|share|read',
  'verwend(?:en|et)|nutz(?:en|t)|einf(?:ü|ue)hren|mit|utilis(?:er|ons)|adopter|avec|us(?:ar|amos)|utilizar|adoptar|con|com',
].join('|');

const CUE = new RegExp(
  `(?<![\\p{L}\\p{N}_-])(?:(?<no>${REFUSING})|(?<yes>${WANTING}))(?![\\p{L}\\p{N}_])`,
  'giu',
);
/** What is said behind its subject: "X was rejected", "X must not be used". */
const REFUSED_BEHIND =
  /^[^.;:]{0,60}?\b(?:(?:is|are|was|were|be|been|being|gets?|got)\s+(?:also |therefore |explicitly |all )?(?:rejected|forbidden|prohibited|dismissed|ruled out|discarded|deprecated|replaced|dropped|removed|banned|abandoned|retired|disallowed|phased out|turned down|not (?:allowed|permitted|used|an option|acceptable|suitable|chosen|considered|supported))|(?:must|shall|should|may|will|can|do|does|did|would) ?(?:not|n't|never)|cannot|won't|can't|no longer|never)\b/i;
const MOVING =
  /\b(?:migrat\w*|mov(?:e|es|ed|ing)|switch\w*|transition\w*|port(?:ed|ing)?|convert\w*|rewrit\w*|chang\w*|shift\w*)\b/i;
const PREFERRING = /\b(?:prefer\w*|chose\w*|choos\w*|pick\w*|select\w*|favou?r\w*)\b/i;
const HARMLESS_NO =
  /^\s*(?:only|just|least|merely|limited|to mention|matter|doubt|longer than|more than|later than|vendor|extra|additional)\b/i;

/** The last word before the place that decides; what is said behind it wins. */
export function polarityAt(sentence: string, from: number, to: number): Polarity {
  const clause = clauseStart(sentence, from);
  const behind = sentence.slice(to, to + 120).split(/[;,]|\b(?:but|and|while|whereas)\b/)[0] ?? '';
  if (REFUSED_BEHIND.test(behind) && !/^\s*(?:instead|only)/i.test(behind)) return 'against';
  return polarityBefore(sentence.slice(clause, from));
}

function polarityBefore(before: string): Polarity {
  let polarity: Polarity = 'neutral';
  for (const cue of before.matchAll(CUE)) {
    const rest = before.slice(cue.index + cue[0].length);
    if (cue.groups?.no !== undefined) {
      if (HARMLESS_NO.test(rest)) continue;
      polarity = 'against';
    } else if (!carriesOn(cue[0], polarity, before.slice(0, cue.index))) {
      polarity = 'for';
    }
  }
  if (MOVING.test(before) && /\b(?:from|off|von|de|desde)\s+(?:[\w'’-]+\s+){0,3}$/i.test(before))
    return 'against';
  if (PREFERRING.test(before) && /\bover\s+(?:[\w'’-]+\s+){0,3}$/i.test(before)) return 'against';
  return polarity;
}

/** "do not use", "stop using", "without having to run": the wanting word belongs to the refusing one. */
function carriesOn(cue: string, polarity: Polarity, before: string): boolean {
  if (polarity !== 'against') return false;
  const word = cue.toLowerCase();
  const last = before.trimEnd().split(/\s+/).slice(-3).join(' ').toLowerCase();
  if (/^(?:with|to|via|through|mit|avec|con|com|in favou?r of)$/.test(word)) {
    return word === 'to'
      ? !/\w/.test(before) || /(?:not|never|cannot|going|have|need|want)$/.test(last)
      : false;
  }
  return /(?:\b(?:not|never|cannot|no longer|stop|avoid|without|to|be|of|than|nicht|no|any|longer)|n't)$/.test(
    last,
  );
}

/** A contrast begins anew: "keep X, but drop Y". */
function clauseStart(sentence: string, from: number): number {
  const before = sentence.slice(0, from);
  const breaks = [
    ...before.matchAll(
      /[;:]|,\s*(?:but|and (?:we|then|use|adopt|move|switch|store|write|keep)|while|whereas|so|because)\b|\b(?:but|whereas|because|since)\b/gi,
    ),
  ];
  const last = breaks.at(-1);
  return last === undefined ? 0 : last.index;
}
