import { cuesIn } from './clause-cues.js';
import { clausesOf } from './clauses.js';
import { phraseWords } from './topic-words.js';

/** What one part of a sentence says of something: that it is to be, or that it is not to be. */
export interface Claim {
  readonly side: 'takes' | 'leaves';
  readonly text: string;
  readonly stems: readonly string[];
  /** What is left itself, without where and what for. */
  readonly object: readonly string[];
  /** The stem of "remove" or "skip": a claim about doing this, not about what it is done to. */
  readonly deed?: string;
}

const REASON =
  /\b(?:because|since|although|though|whereas|now that|given that|seeing that|due to|thanks to|despite|even if)\b[^,;]*/gi;
const NEGATION =
  /\b(?:not(?! (?:only|just|necessarily|merely|yet))|never|cannot|no longer|neither|nor|nobody|nothing|none|(?<!with )no|(?:is|are|do|does|did|wo|ca|must|should|would|could|was|were|has|have)n['’]t)\b/gi;
const REJECTED =
  /\b(?:is|are|was|were|be|been|being|gets?|and)\s+(?:\w+ly\s+|also\s+|therefore\s+|both\s+|all\s+)?(?:rejected|refused|dismissed|discarded|ruled out|excluded|forbidden|prohibited|disallowed|banned|deprecated|removed|dropped|abandoned|retired|discouraged|avoided|declined|turned down|replaced|decommissioned|switched off|phased out|migrated(?! (?:to|from)\b)|superseded|neglected|cancell?ed|left aside|given up|gone|history|out of scope|out of the question|off the table)\b|^\W*(?:rejected|dismissed|discarded|neglected|forbidden|prohibited)\b/i;
/** What is ported is neither taken nor left; what it becomes is taken. */
const TURNED =
  /\b(?:port|convert|translate|rewrite|migrate|upgrade)(?:s|d|ing)?\b(?!.{0,60}\bfrom\b).{1,80}?\b(?:to|into|onto|in|as)\b|\bmov(?:e|es|ing)\b(?!.{0,60}\bfrom\b).{1,80}?\bto\b/i;
const GONE =
  /\b(?:is|are|be|being|get|gets) (?:\w+ly )?(?:moved|migrated|ported|converted|rewritten|replaced|superseded) (?:to|onto|into|by|with|in)\b/i;
const VERB = /\b(?:is|are|was|were|must|may|can|will|shall|should)\b/;
/** Before these stands what something is done to. */
const PASSIVE =
  /\b(?:(?:must|may|can|shall|will|should)\s+)?(?:(?:not|never|no longer)\s+)?(?:is|are|was|were|be)\b/i;
/** Behind these stands where or for what, not what is left. */
const PLACE =
  /(?<![-\w])(?:in|on|at|for|from|when|during|so|while|until|before|after|if|unless|between|across|within|by|to|as|with)(?![-\w])/i;
/** What was looked at, or what was the case, is not thereby wanted. */
const REPORT =
  /\b(?:currently|today|at present|previously|so far|originally|used to|would have|could have|has been|have been|had|looked at|considered|evaluated|compared?|wrote|was|were)\b|\b(?:vendor|partner|supplier|customer)['’]s\s/i;
const CONDITION =
  /\b(?:when|where|if|once|until|unless|as soon as|(?:before|after)(?= .*\b(?:is|are|was|were|has|have)\b))\b/i;
const NEGATED_VERB =
  /\b(?:must|may|shall|should|can|could|will|is|are|was|were|do|does|has|have|never|not|cannot)\b/i;
/** A clause that goes on about what the one before it was about. */
const ELLIPSIS =
  /^\W*(?:and |or )?(?:is|are|was|were|must|may|shall|should|can|cannot|will|do|does|never|not)\b/i;
/** A question proposes and decides nothing. */
export function isQuestion(sentence: string): boolean {
  return /\?["'”)]*$/.test(sentence);
}

/** What is said without why: for figures and opposites, which no clause holds together. */
export function withoutReasons(sentence: string): string {
  return sentence.replace(REASON, ' ');
}

/** The claims of one sentence, clause by clause. */
export function claimsIn(sentence: string): readonly Claim[] {
  const claims: Claim[] = [];
  let before = '';
  let subject = '';
  for (const part of clausesOf(sentence)) {
    const isElliptic = ELLIPSIS.test(part) && stemsOf(part).length > 0;
    const clause = isElliptic ? `${subject} ${part}` : part;
    subject = clause.slice(0, Math.max(0, clause.search(NEGATED_VERB)));
    const isRejecting =
      REJECTED.test(clause) || /\bdecided against (?:it|them|both|this|that)\b/i.test(clause);
    // "React and Vue were looked at; both were rejected."
    const isBare = /^\W*(?:and )?(?:rejected|dismissed|discarded|neglected)\b(?! \p{Lu})/u.test(clause);
    const isEmpty = stemsOf(withoutRejection(clause)).length === 0;
    const isNegated = [...clause.matchAll(NEGATION)].length % 2 === 1;
    const refers = before !== '' && ((isRejecting && isBare) || ((isRejecting || isNegated) && isEmpty));
    claims.push(...(refers ? [claim(-1, before)] : clauseClaims(clause)));
    before = clause.replace(REPORT, ' ');
  }
  return claims.filter(({ stems }) => stems.length > 0);
}

function withoutRejection(clause: string): string {
  return clause.replace(REJECTED, ' ').replace(/\bdecided against\b/i, ' ');
}

function clauseClaims(sentence: string): readonly Claim[] {
  const condition = sentence.search(CONDITION);
  // "If no grant is known" asks for nothing.
  if (/^\W*(?:when|if|once|unless|where)\b/i.test(sentence)) return [];
  const whole = condition > 0 ? sentence.slice(0, condition) : sentence;
  const stems = condition > 0 ? stemsOf(sentence.slice(condition)) : [];
  return mainClaims(whole).map((found, index) =>
    index === 0 ? { ...found, stems: [...new Set([...found.stems, ...stems])] } : found,
  );
}

function mainClaims(whole: string): readonly Claim[] {
  // "It is removed": the words do not tell what.
  if (REJECTED.test(whole) && /^\W*(?:and )?(?:it|they|this|these)\b/i.test(whole)) return [];
  const isRejected = REJECTED.test(whole);
  const clause = isRejected ? withoutRejection(whole) : whole;
  const negations = [...clause.matchAll(NEGATION)];
  const base = (negations.length % 2 === 1) !== isRejected ? -1 : 1;
  // "It has no options": the words do not tell what is not to be.
  const [last] = negations.slice(-1);
  if (last?.[0].toLowerCase() === 'no' && stemsOf(clause.slice(last.index)).length === 0) return [];
  if (base > 0 && REPORT.test(clause)) return [];
  // "Cron jobs are moved to Airflow": left is what stands before.
  const gone = base > 0 ? GONE.exec(clause) : null;
  if (gone !== null) {
    return [claim(-1, clause.slice(0, gone.index)), claim(1, clause.slice(gone.index + gone[0].length))];
  }
  const turned = TURNED.exec(clause);
  if (turned !== null) return [claim(base, clause.slice(turned.index + turned[0].length))];
  const cues = cuesIn(clause);
  const [first] = cues;
  // "A, B and C are removed before it is sent": each of them.
  if (isRejected && base < 0) return [claim(-1, whole.slice(0, whole.search(REJECTED)) || clause)];
  if (first === undefined) return [claim(base, clause)];
  const deed = cues.find(({ kind }) => kind === 'deed' || kind === 'undone');
  const claims: Claim[] = [];
  // "A video without captions is not published" forbids no video.
  const isConditional = base < 0 && (negations.at(-1)?.index ?? 0) > first.at && first.kind === 'without';
  if (deed !== first && !isConditional) claims.push(claim(base, clause.slice(0, first.at)));
  if (deed !== undefined) {
    const [verb] = stemsOf(clause.slice(deed.at, deed.end));
    if (verb !== undefined) claims.push({ ...claim(base, clause.slice(deed.at)), deed: verb });
  }
  cues.forEach((cue, index) => {
    const text = clause.slice(cue.end, cues[index + 1]?.at ?? clause.length);
    if (cue.kind === 'undone') return;
    if (cue.kind === 'moved') claims.push(...moveClaims(text, base));
    else
      claims.push(
        claim(cue.kind === 'taken' ? base : -base, isConditional ? (text.split(VERB)[0] ?? '') : text),
      );
  });
  return claims;
}

/** "Replace X with Y" and "from X to Y". */
function moveClaims(text: string, base: number): readonly Claim[] {
  const at = text.search(/\b(?:with|by|for|to|onto|into)\b/);
  return at === -1 ? [claim(-base, text)] : [claim(-base, text.slice(0, at)), claim(base, text.slice(at))];
}

function claim(side: number, text: string): Claim {
  const passive = side > 0 ? -1 : text.search(PASSIVE);
  const at = passive > 0 ? passive : text.search(PLACE);
  const object = at > 0 ? stemsOf(text.slice(0, at)) : [];
  const stems = stemsOf(text);
  return {
    side: side > 0 ? 'takes' : 'leaves',
    text,
    stems,
    object: object.length > 0 ? object : stems,
  };
}

function stemsOf(text: string): readonly string[] {
  return [...new Set(phraseWords(text.replace(NEGATION, ' ')).map(({ stem }) => stem))];
}
