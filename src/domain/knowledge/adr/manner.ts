const SUBORDINATE = /[,;(]|\b(?:which|who|whose|that|because|since|when|where|if)\b/i;
/** It asks for something instead of telling how something is. */
const ASKS =
  /\b(?:should|could|may|must|shall|will|would like|let|let['’]s|propos\w+|suggest\w*|want to|plan to|(?:I|we)['’](?:d|ll)|have \w+ \w+)\b/i;
const TELLS =
  /^\W*(?:[\w-]+:\s*)?(?:the|an?|our|this|these|there|it|in|each|every|all|two|most)\b|^(?:\S+\s+){0,8}?(?:is|are|was|were|has|have|gets?|does|do|runs?|needs?|wants?|knows?)\b/i;
const ADOPTS =
  /\b(?:us(?:e|ing)|adopt\w*|switch\w*|mov(?:e|ing)|migrat\w+|introduc\w+|put|stor(?:e|ing)|(?:re-?)?writ(?:e|ing)|(?:re)?buil[dt]\w*|replac\w+|run|give|let|send|allow|port|bring|keep|save|have|equip|provision|host|serve|deploy|rely|make|turn|call|go)\b/i;
const REVIVES =
  /\b(?:bring(?:ing)? back|re-?introduc\w+|re-?instat\w+|re-?enabl\w+|return(?:ing)? to|go(?:ing)? back|back to|revert\w*|restor\w+|reviv\w+|again)\b/i;
/** Whoever asks knows of a rule. */
const EXCUSES =
  /\b(?:temporar\w+|for now|until|transition|exception|just|once|skip\w*|bypass\w*|without|only|direct(?:ly)?|straight|anyway|by hand|no longer)\b/i;
/** Work that chooses nothing. */
const UPKEEP =
  /^\W*(?:fix|upgrade|update|document|describe|print|rename|add|create|ask|refuse|prepare|test|check|explain|list|show|speed up|clean|tidy|hide|mirror|draw|teach|alert|warn|measure|report|improve|translate|write (?:a|an|down))\b/i;
/** To compare, measure or explain a thing is not to choose it. */
const LOOKS =
  /\b(?:compar(?:e|es|ing|ison)|evaluat\w+|prototyp\w+|document(?:s|ing)?|measur\w+|benchmark\w*|profil(?:e|ing)|explain\w*|warn\w*|alert\w*|remind\w*|survey|learn\w*|report|looked at|talk|trial|investigat\w+|monitor\w*|show\w*|detect\w*|describ\w+|slides?|guide|blog|ticket|why|fix\w*|upgrad\w+|updat\w+|renam\w+|tests?|lint\w*|fail|refus\w*|reject\w*)\b/i;
/** Somebody else's system, or a place where nothing is served. */
const ELSEWHERE =
  /\b(?:theirs?|partner\w*|vendor\w*|supplier\w*|department\w*|agency|university|consultants?|marketing|finance|legal|training|workshop|laptops?|sandbox|locally|demo|onboarding|scratch|staging|parent company|interns?|public)\b/i;
const KEEPS =
  /\b(?:keeps?|stays?|remains?|still|as before|continues?|no change|unchanged|not (?:affected|touched)|untouched|as always|leaves?)\b/i;

export type Manner = ReturnType<typeof mannerOf>;

/** How a sentence speaks: whether it asks for something, and for what sort of thing. */
export function mannerOf(sentence: string) {
  const isAsked = ASKS.test(sentence) || !TELLS.test(sentence.split(SUBORDINATE)[0] ?? '');
  return {
    isAsked: Number(isAsked),
    isAdopting: Number(ADOPTS.test(sentence)),
    isRevived: Number(REVIVES.test(sentence)),
    isExcused: Number(EXCUSES.test(sentence)),
    isUpkeep: Number(UPKEEP.test(sentence)),
    isLookedAt: Number(LOOKS.test(sentence)),
    isElsewhere: Number(ELSEWHERE.test(sentence)),
    isKept: Number(KEEPS.test(sentence)),
  };
}
