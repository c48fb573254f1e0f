/** It asks for something instead of telling how something is. */
const ASKS =
  /\b(?:should|could|may|must|shall|will|would (?:like|rather)|let|let['’]s|propos\w+|suggest\w*|want to|plan to|(?:I|we)['’](?:d|ll)|(?:is|are) to)\b/i;
const TELLS =
  /^\W*(?:[\w-]+(?: [\w-]+){0,2}:\s*)?(?:the|an?|our|this|these|there|it|each|every|all|two|most|some|we|they|he|she|i)\b/i;
/** How something is, or was. */
const DESCRIBES =
  /\b(?:cannot|can['’]t|could not|couldn['’]t|does(?: not|n['’]t)|did(?: not|n['’]t)|is not|isn['’]t|are not|aren['’]t|has no|have no|haven['’]t|hasn['’]t|was|were|(?:we|they|I) (?:\w+ed|had|ran|wrote|built|chose|took|went))\b/i;
/** "I would like to", "we will": before the verb that tells what is to be done. */
const WISH =
  /^\W*(?:[\w`/-]+(?: [\w`/-]+){0,2}:\s+)?(?:please\s+)?(?:(?:i|we)(?:['’]d| would)? (?:like|want|plan|propose|suggest|need)(?: to)?\s+|(?:we|i)(?:['’]ll| will| should| shall| could)\s+|let(?:['’]s| us)\s+|can we (?:just )?)?/i;
const ADOPTS =
  /^(?:use|adopt|switch|mov|migrat|introduc|put|stor|writ|rewrit|build|rebuild|replac|run|giv|let|send|allow|port|bring|sav|equip|provision|host|serv|deploy|rely|mak|turn|call|go|set|stand|start|split|extract|push|publish|expos|chang|return|reintroduc|reinstat|revert|restor|buy|orchestrat|have|accept|merg|combin|convert|embed|integrat|open|load|pass|respond|hold|generat|comput|manag|keep|permit|grant|implement|develop)/i;
/** Work that chooses nothing. */
const UPKEEP =
  /^(?:fix|upgrad|updat|bump|document|describ|print|renam|ask|prepar|test|check|explain|list|show|speed|clean|tidy|hide|draw|teach|alert|warn|measur|report|improv|translat|estimat|evaluat|compar|investigat|train|label|collect|interview|order|budget|plan|schedul|record|monitor|review|submit|present|hire|survey|rehears|rais|lower|increas|tighten|enlarg|refresh|rotat|archiv|recycl|attend|learn|spend|offer|agree|enforc|simplify|map|add)/i;
/** To compare or explain a thing is not to choose it. */
const LOOKS =
  /\b(?:compar\w+|evaluat\w+|benchmark\w*|explain\w*|survey\w*|investigat\w+|talk|workshop|training|slides?|blog|story|newsletter|course|guide|spike|prototype|find(?:ing)? out|whether|for information|drill)\b/i;
const REVIVES =
  /\b(?:bring(?:ing)? back|re-?introduc\w+|re-?instat\w+|re-?enabl\w+|return(?:ing)? to|go(?:ing)? back|back (?:to|into|in)|revert\w*|restor\w+|reviv\w+|again)\b/i;
/** Whoever asks knows of a rule, or wants something apart from the others. */
const EXCUSES =
  /\b(?:temporar\w+|for now|exception|skip\w*|bypass\w*|without|direct(?:ly)?|straight|anyway|by hand|no longer|no more|at first|own|itself|themselves|separate|dedicated)\b/i;
const KEEPS =
  /\b(?:no(?:thing)? changes?|unchanged|not (?:affected|touched|concerned|deployed)|(?:isn|aren)['’]t (?:touched|affected|deployed)|as (?:it is|before|they are|always)|no decision|(?:stays?|remains?) (?:as|on|in|where|un)|carry on|go(?:es)? on|continues?)\b/i;

export type Manner = ReturnType<typeof mannerOf>;

/** How a sentence speaks: whether it asks for something, and for what sort of thing. */
export function mannerOf(sentence: string) {
  const verb = sentence.replace(WISH, '');
  return {
    isAsked: Number(ASKS.test(sentence) || !(TELLS.test(sentence) || DESCRIBES.test(sentence))),
    isAdopting: Number(ADOPTS.test(verb)),
    isUpkeep: Number(UPKEEP.test(verb)),
    isLookedAt: Number(LOOKS.test(sentence)),
    isRevived: Number(REVIVES.test(sentence)),
    isExcused: Number(EXCUSES.test(sentence)),
    isKept: Number(KEEPS.test(sentence)),
  };
}
