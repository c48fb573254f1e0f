/** Words that turn what follows them into something refused, each with how it does so. */
const REFUSING_VERBS =
  'avoid(?:s|ing)?|stop(?:s|ped|ping)?|drop(?:s|ped|ping)?|remov(?:e|es|ed|ing)|get(?:s|ting)? rid of|ban(?:s|ned|ning)?|forbid(?:s|ding)?|prohibit(?:s|ing)?|disallow(?:s|ing)?|reject(?:s|ed|ing)?|refus(?:e|es|ed|ing)|retir(?:e|es|ing)|deprecat(?:e|es|ing)|abandon(?:s|ed|ing)?|eliminat(?:e|es|ing)|phas(?:e|es|ing) out|decommission(?:s|ing)?|disabl(?:e|es|ing)|skip(?:s|ped|ping)?|bypass(?:es|ed|ing)?|circumvent(?:s|ing)?|ditch(?:es|ing)?|revert(?:ing)?|sunset(?:ting)?|(?:turn|switch)(?:s|es|ing)? off|delet(?:e|es|ing)|omit(?:s|ting)?|ignor(?:e|es|ing)|exempt(?:s|ing)?|waiv(?:e|es|ing)|relax(?:es|ing)?|giv(?:e|es|ing) up|do(?:es|ing)? away with|leav(?:e|es|ing) behind|mov(?:e|es|ing) away from|neglect(?:ed|ing)?|dismiss(?:ed|es|ing)?|discard(?:ed|s|ing)?|rul(?:e|es|ed|ing) out|(?:decid(?:e|es|ed|ing)|advis(?:e|es|ed)|vot(?:e|ed)|recommend(?:s|ed)?|speaks?|spoke|is|are|was|were|and) against|against using|turn(?:ed|s)? down|prevent(?:s|ing)?|block(?:s|ing)?|mask(?:s|ing)?|redact(?:s|ing)?|strip(?:s|ping)?|scrub(?:s|bing)?|shut(?:s|ting)? down|uninstall(?:s|ing)?|cancel(?:s|ling)?|lift(?:s|ing)?|loosen(?:s|ing)?|weaken(?:s|ing)?|undo(?:es|ing)?';
const REFUSING_WORDS =
  "not|n't|never|cannot|neither|nor|no longer|none of|no|nicht mehr|nicht|kein(?:e|en|er)?|pas de|jamais";
const REFUSING_LINKS =
  'instead of|rather than|in place of|in lieu of|as opposed to|unlike|versus|vs\\.?|without|away from|other than|statt|anstatt|anstelle von|ohne|au lieu de|à la place de|sans|en lugar de|en vez de|sin|em vez de|sem';
const REPLACING =
  'replac(?:e|es|ing)|substitut(?:e|es|ing)|swap(?:s|ping)?|exchang(?:e|es|ing)|supplant(?:s|ing)?|ersetz(?:en|t)|remplac(?:er|ons)|reemplaz(?:ar|amos)';
const WANTING =
  'us(?:e|es|ed|ing)|adopt(?:s|ed|ing)?|introduc(?:e|es|ed|ing)|chosen (?:option|alternative|solution)\\W{0,4}|stick(?:s|ing)? (?:to|with)|stuck with|in favou?r of|go(?:es|ing)? (?:with|for|back to)|decid(?:e|ed|es) (?:for|on)|settl(?:e|ed|es) on|standardi[sz](?:e|es|ed|ing) on|rel(?:y|ies|ying) on|build(?:s|ing)?|built|implement(?:s|ed|ing)?|expos(?:e|es|ed|ing)|stor(?:e|es|ed|ing)|sav(?:e|es|ed|ing)|keep(?:s|ing)?|kept|stay(?:s|ing)?|remain(?:s|ing)?|continu(?:e|es|ing)|writ(?:e|es|ten|ing)|deploy(?:s|ed|ing)?|run(?:s|ning)?|add(?:s|ed|ing)?|allow(?:s|ed|ing)?|embrac(?:e|ing)|mandat(?:e|es)|requir(?:e|es)|let(?:s|ting)?|put(?:s|ting)?|mak(?:e|es|ing)|hav(?:e|ing)|publish(?:es|ing)?|send(?:s|ing)?|sent|call(?:s|ing)?|creat(?:e|es|ing)|start(?:s|ing)?|enabl(?:e|es|ing)|shar(?:e|es|ing)|buy(?:s|ing)?|hosts?|hosting|log(?:s|ging)? (?=the\\b)|schedul(?:e|es|ing)|integrat(?:e|es|ing)|rebuild(?:s|ing)?|rewrit(?:e|es|ing)|offer(?:s|ing)?|verwend(?:en|et)|nutz(?:en|t)|einf(?:ü|ue)hren|utilis(?:er|ons)|adopter|usa(?:r|mos)|utilizar|adoptar';
/** Wanting words that are followed by "over" and what they leave. */
const PREFERRING =
  'choos(?:e|es|ing)|chose|chosen|pick(?:s|ed|ing)?|select(?:s|ed|ing)?|prefer(?:s|red)?|favou?r(?:s|ed|ing)?';
const MOVING =
  'migrat(?:e|es|ed|ing)|mov(?:e|es|ed|ing)|switch(?:es|ed|ing)?|transition(?:s|ing)?|port(?:s|ed|ing)?|convert(?:s|ed|ing)?|chang(?:e|es|ed|ing)|shift(?:s|ing)?|go(?:ing)? from';
const WEIGHING =
  'evaluat(?:e|es|ed|ing)|compar(?:e|es|ed|ing)|investigat(?:e|es|ed|ing)|benchmark(?:s|ed|ing)?|explor(?:e|es|ed|ing)|assess(?:es|ed|ing)?|research(?:es|ed|ing)?|discuss(?:es|ed|ing)?|look(?:s|ed|ing)? (?:at|into)|hav(?:e|ing) a look at|stud(?:y|ies|ied)|consider(?:s|ed|ing)?|learn(?:s|ed|ing)? from|find out|check whether';
const ASIDE =
  'because|since|given that|as (?:it|they|we|this|these|described|in)|which|whose|who|so that|in order to|to achieve|due to|thanks to|owing to|used to|formerly|previously|in the past|until now|so far|weil|da wir|parce que|car|porque';
const GRANTED = 'although|though|even though|even if|despite|in spite of|obwohl';
/** Only where nothing else is said do these mean that something is taken. */
const LIGHT = 'with|via|through|using|in|on|onto|as|by|mit|avec|con|com';

const word = (name: string, words: string) =>
  `(?<${name}>(?<![\\p{L}\\p{N}_-])(?:${words})(?![\\p{L}\\p{N}_]))`;

/** A contrast begins anew: "keep X, but drop Y". So does a second order: "mask X and log Y". */
const BREAK =
  '(?<brk>[;:—()]|,\\s*(?:but|and (?:we|then)|while|whereas|so)\\b|\\b(?:but|whereas|while|however)\\b|\\band (?=(?:then |we |instead )*(?:use|adopt|move|switch|store|write|keep|log|send|publish|build|rebuild|run|deploy|put|let|call|read|load|generate|introduce|create|route|render|return|serve|host|grant|make|give|start|buy|drop|remove|skip|bypass|stop|disable|delete|replace|migrate|allow|show|answer|copy|import|export|scrape)\\b))';

export const CUES = new RegExp(
  [
    BREAK,
    word('link', REFUSING_LINKS),
    word('granted', GRANTED),
    word('aside', ASIDE),
    word('swap', REPLACING),
    word('weigh', WEIGHING),
    word('move', MOVING),
    `(?<not>(?<![\\p{L}\\p{N}_-])(?:${REFUSING_WORDS})(?![\\p{L}\\p{N}_-])|(?<=[a-z])n['’]t\\b)`,
    word('no', REFUSING_VERBS),
    word('yes', WANTING),
    word('prefer', PREFERRING),
    word('from', 'from|off of|off|out of|von|desde'),
    word('to', 'to|into|towards|in favou?r of|nach|zu'),
    word('over', 'over'),
    word('light', LIGHT),
    '(?<comma>,)',
  ].join('|'),
  'giu',
);

/** "not only", "no more than": a refusing word that refuses nothing. */
export const HARMLESS =
  /^\s*(?:only|just|least|merely|limited|to mention|matter|doubt|longer than|more than|later than|less than|vendor|extra|additional|necessarily|yet)\b/i;

const USED =
  '(?:used|allowed|permitted|accepted|acceptable|offered|supported|adopted|chosen|introduced|considered|suitable|an? (?:option|acceptable[^,.;]{0,40})|needed|welcome|tolerated|installed|verwendet|erlaubt|zulässig|gestattet)';
const ADVERB = '(?:also |therefore |thus |explicitly |all |both |strictly |generally |hereby )?';

/** What is said behind its subject: "X was rejected", "X must not be used", "X is discouraged". */
export const REFUSED_BEHIND = new RegExp(
  `\\b(?:(?:is|are|was|were|be|been|being|gets?|got|wird|werden|ist|sind)\\s+${ADVERB}(?:(?:considered|evaluated|discussed|tried|examined|looked at),? (?:and|but) (?:then |later |also |finally )?)?(?:rejected|forbidden|prohibited|dismissed|ruled out|discarded|deprecated|replaced|dropped|removed|banned|abandoned|retired|disallowed|discouraged|phased out|turned down|decided against|avoided|excluded|closed|cancelled|terminated|shut down|switched off|migrated|ported|out of the question|off the table|abgelehnt|ausgeschlossen|verboten|verworfen|untersagt|(?:not|no longer|never|nicht|nicht mehr|nicht länger)\\s+(?:be(?:ing)? )?${ADVERB}${USED})|(?:must|shall|should|may|will|can|would) ?(?:not|never|no longer) (?:longer )?be ${USED}|(?:cannot|can't|won't|mustn't|shouldn't) be ${USED}|no longer ${USED})(?![\\p{L}])`,
  'giu',
);

/** Ends of something, which forbid nothing by themselves. */
export const ENDED =
  /(?:deprecated|replaced|dropped|removed|abandoned|retired|phased out|closed|cancelled|terminated|shut down|switched off|migrated|ported)$/i;

/** The subject is what was named before. */
export const BACKWARD = /^\s*(?:both|they|these|those|it|all(?: of them)?|the (?:others?|rest|latter))\s*$/i;
export const DISMISSED_IT =
  /\b(?:dismissed|rejected|discarded|declined|dropped|ruled out|turned down|decided against|abandoned|neglected)\s+(?:it|them|both|these|that)\b/i;
