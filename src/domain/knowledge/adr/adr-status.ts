/** The meaning of a status, in whichever format it is written. */
export type AdrStatus = 'proposed' | 'accepted' | 'rejected' | 'deprecated' | 'superseded' | 'unknown';

/** Word prefixes without accents; the first status named decides unless a later one ends it. */
const WORDS: readonly (readonly [AdrStatus, RegExp])[] = [
  [
    'superseded',
    /super[sc]e+ded|\breplaced\b|ersetzt|abgelost|remplace|\bsustituid|reemplazad|substituid|sostituit|vervangen|zastapion|замен[её]н|取代|替代|代替|置き?換え|대체/u,
  ],
  [
    'rejected',
    /reject|\bdeclined|\brefused|\bwithdrawn|\bturned down|won'?t ?(?:fix|do)|\bdenied|\bdismissed|\bcancell?ed|abgelehnt|verworfen|zuruckgezogen|rejete|refuse|rechazad|rejeitad|rifiutat|respint|afgewezen|verworpen|odrzucon|отклон|отверг|拒绝|拒絕|否决|却下|不採用|否決|거부|거절|기각/u,
  ],
  [
    'deprecated',
    /deprecat|\bobsolet|\bretired|\boutdated|\bsunset|no longer (?:valid|in force|relevant|applies|accepted|active|used)|\babandoned|\brevoked|\brescinded|\bexpired|\barchived|\binactive|\breverted|\brolled back|veraltet|uberholt|aufgehoben|desuet|obsoleto|verouderd|vervallen|przestarzal|устарел|отменен|废弃|弃用|廢棄|廃止|非推奨|폐기|사용 중단/u,
  ],
  [
    'proposed',
    /propos|\bdraft|\bpending|\bprovisional|\bdeferred|\bpostponed|\bon hold|\bin (?:review|discussion|progress|consultation)|under (?:review|discussion|consideration)|\breview\b|\bopen\b|\brfc\b|\bwip\b|request for comments|\bto be (?:decided|discussed|approved)|\btbd\b|\bidea\b|not yet (?:accepted|approved|decided|adopted|agreed)|\bundecided|\bawaiting|vorgeschlagen|vorschlag|entwurf|in prufung|\boffen\b|brouillon|en cours|propuest|borrador|propost|rascunho|bozza|voorgesteld|concept\b|\bszkic|предлож|черновик|на рассмотрении|提议|提議|草案|草稿|待定|提案|検討中|下書き|제안|초안|검토/u,
  ],
  [
    'accepted',
    /accept|\bapproved|\badopted|\bagreed|\bimplement|\bactive\b|\bdecided|\bin (?:force|effect|use)\b|\bratified|\benacted|\beffective|\bcurrent\b|\bcommitted|\bfinal\b|\bdone\b|\bcompleted?\b|\bvalid\b|\bstable\b|\bmerged\b|\blast call\b|akzeptiert|angenommen|beschlossen|entschieden|genehmigt|gultig|umgesetzt|adopte|approuve|valide|aceptad|aprobad|adoptad|aceit|aprovad|adotad|accettat|approvat|adottat|geaccepteerd|goedgekeurd|aangenomen|zaakceptowan|przyjet|zatwierdzon|принят|утвержд|одобрен|接受|采纳|採納|批准|已通过|已决定|承認|採用|採択|決定|승인|채택|수락/u,
  ],
];

const PARTLY = /\b(?:partly|partially|in part|teilweise|partiellement|parcialmente)\b/;
const NEGATED = /\bnot (?:been )?(?:accepted|approved|adopted|agreed)\b|nicht (?:akzeptiert|angenommen)/;
const NOT_ENDED = /\b(?:not|never) (?:yet )?(?:been )?(?:superseded|replaced|deprecated|rejected)\b/g;

/**
 * Reads a status with any decoration: struck through, bold, a badge, with a date, a link, a reason or a
 * history.
 */
export function normaliseStatus(raw: string): AdrStatus {
  const text = plainStatus(raw);
  if (isTemplate(text)) return 'unknown';
  const current = text.split(/\s*(?:->|→|⇒|=>)\s*/).at(-1) ?? text;
  return stateOf(current);
}

function stateOf(text: string): AdrStatus {
  if (/\bnot yet\b/.test(text)) return 'proposed';
  if (NEGATED.test(text)) return 'rejected';
  const said = text.replace(NOT_ENDED, ' ');
  const named = WORDS.flatMap(([status, words]) => {
    const at = said.search(words);
    return at === -1 ? [] : [{ status, at }];
  });
  // "Accepted, superseded by 7" is superseded; so is "Superseded (was accepted)".
  const ended = named.find(({ status }) => status === 'superseded');
  if (ended !== undefined && !PARTLY.test(said)) return 'superseded';
  const others = named.filter(({ status }) => status !== 'superseded');
  if (PARTLY.test(said) && ended !== undefined && others.length === 0) return 'accepted';
  const gone = others.find(({ status }) => status === 'deprecated');
  if (gone !== undefined) return 'deprecated';
  return others.sort((a, b) => a.at - b.at)[0]?.status ?? 'unknown';
}

/** "proposed | accepted | rejected" that was not filled in. */
function isTemplate(text: string): boolean {
  if (!/[|/{[]/.test(text)) return false;
  const choices = text.split(/[|/]/).filter((choice) => WORDS.some(([, words]) => words.test(choice)));
  return choices.length >= 3;
}

function plainStatus(raw: string): string {
  return raw
    .slice(0, 2000)
    .replace(/<!--.*?-->/gs, ' ')
    .replace(/~~[^~]*~~/g, ' ')
    .replace(/<(?:del|s|strike)>.*?<\/(?:del|s|strike)>/gs, ' ')
    .replace(/!\[([^\][]*)\]\(([^()]*)\)/g, (_all, alt: string, url: string) =>
      /^status$/i.test(alt.trim()) || alt.trim() === '' ? url.replace(/[-_%]+/g, ' ') : alt,
    )
    .replace(/\[([^\][]*)\]\([^()]*\)/g, '$1')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/[*_`]/g, '')
    .replace(/\(?\b(?:super[sc]e+des|replaces|amends|ersetzt adr|remplace l)[^.;\n]*/gi, ' ')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC');
}
