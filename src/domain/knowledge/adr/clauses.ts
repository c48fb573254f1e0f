/** Reasons, concessions and hopes decide nothing. */
const ASIDE =
  /\b(?:because|since|although|though|while|whereas|now that|seeing that|(?<=^\s*)as (?!an?\b|part\b|well\b|long\b|soon\b|in\b|the\b)|so that|so as to|(?<=\S )so (?!far\b|long\b|much\b|many\b|on\b)(?=[a-z])|in order to|given that|due to|thanks to|which|who|as (?:it|they|we|this|these|that|a result)|to (?:achieve|avoid|reduce|save|improve|simplify|speed|gain|keep|ensure|prevent|enable|help|meet|cut|halve|make it|make them)|accepting|despite|even if|considering|for example|why|whether)\b/i;
/** Where one clause ends; a comma within a list of names does not. */
const CLAUSE_END =
  /[;:]|\.\s|\s[—–]{1,2}\s|\s-{1,2}\s|\b(?:but|however|then)\b|,\s+(?=(?:and|we|it|they|which|who|so|because|since|while|although|not|instead|rather|never|neither|if|when|unless|this|these|there|all|every|no|each|only|to|facing|accepting|both|the|a|an|without|but|as)\b)|,\s+(?=(?:(?!and\b|or\b)[\w'’-]+ ){1,3}(?:is|are|must|may|will|has|have|was|were|makes?|costs?|takes?)\b)|\b(?:and|or) (?=(?:we|it|they|will|must|should|may|can|not|never|do|does|no|is|are|instead|keep|drop|remove|replace|let|make|move|switch|migrate|adopt|use|write|put|send|store|stop|avoid|skip|add|build|buy|create|delete|deploy|give|pay|publish|rely|run|serve|share|start|turn|call|host|get|bypass|disable|reject\w*|dismiss\w*|neglect\w*|discard\w*|decid\w+)\b)/gi;
const RELATIVE =
  /\bthat (?:was|were|is|are|has been|have been) \w+(?:ed|en|t)\b|(?<=[a-z] )(?:it|they) \w+(?=\W*$)/gi;
/** "An image that does not confirm itself": which one is meant, not what is to be. */
const WHICH_NOT =
  /(?<!\b(?:decided?|decision|propos\w+|suggest\w*|requir\w+|means?|agree[sd]?|demand\w*|so|such|rule|ensur\w+|sure|want|clear|is|was|be|resolved|stat\w+|says?|said|now|given|seeing|provided) )\b(?:that|which|who)\s+(?:\w+\s+){0,3}?(?:not|never|no|nothing|nobody|cannot|\w+n['’]t)\b.*?(?=\s(?:is|are|was|were|may|must|can|will|shall|should|has|have|gets?)\s|[,;:.]|$)/gi;
/** "Switch X off" is "switch off X". */
const PARTED =
  /\b((?:switch|turn|phas|shut|throw|leav|giv|rul|cut|tak)(?:e?s|ing|e)?) ((?:[\w'-]+ ){1,6}?)(off|out|down|up|away)\b/gi;
/** What a thing lies outside of is not chosen. */
const OUTSIDE = /\boutside (?:of )?(?:the |our |its |an? )?(?=[\w-])/gi;
/** What is not touched is not left. */
const UNTOUCHED =
  /[^,;.]*\b(?:(?:is|are|be|remains?) (?:not|un)[ -]?|(?:does|do|will|must) not )(?:touch|affect|chang|concern|involv)\w*[^,;.]*/gi;
/** "Not chosen: local time." */
const REFUSED =
  /^\W*(?:not (?:chosen|taken|used|selected)|rejected|ruled out|discarded|dismissed|turned down|considered and rejected)(?: \w+)?:/i;
const MAX_SENTENCE = 2000;

/** The clauses of a sentence that ask or decide, without reasons and without what only tells which one is meant. */
export function clausesOf(text: string): readonly string[] {
  const sentence = text
    .slice(0, MAX_SENTENCE)
    .replace(/[()]/g, ' ')
    .replace(REFUSED, 'not ')
    .replace(RELATIVE, ' ')
    .replace(WHICH_NOT, ' ')
    .replace(PARTED, '$1 $3 $2')
    .replace(OUTSIDE, 'outside-')
    .replace(UNTOUCHED, ' ')
    .replace(/,? \w+ or not\b,?/g, ' ');
  const clauses: string[] = [];
  let start = 0;
  let isAside = false;
  for (const end of [...sentence.matchAll(CLAUSE_END), { index: sentence.length, 0: '' }]) {
    const clause = sentence.slice(start, end.index);
    // "Because it is fast and is easy to learn": a reason goes on behind the "and".
    const goesOn: boolean = isAside && /\b(?:and|or) $/i.test(sentence.slice(0, start));
    const aside = clause.search(ASIDE);
    const comma = aside === -1 ? -1 : clause.indexOf(',', aside);
    const kept = aside === -1 ? clause : clause.slice(0, aside) + (comma === -1 ? '' : clause.slice(comma));
    isAside = goesOn || (aside !== -1 && comma === -1);
    if (!goesOn && /\p{L}/u.test(kept)) clauses.push(kept);
    start = end.index + end[0].length;
  }
  return clauses;
}
