import { stem } from '../search/stem.js';

/** Words that only hold a sentence together. */
const FUNCTION_WORDS = new Set(
  stemsOf(
    'a an the this that these those it its we our us they their you your i he she be is are was were been being am do does did done has have had having will would shall should can could may might must of in on at by to for from with without into onto over under as and or but if then than so such because since while when where which who whose what how why also too very more most less least not no nor only just both either each every all any some other another same own new old current currently one two three first second use using used uses adopt adopting adopted choose chosen choice chose pick select decide decided decision record adr option options considered alternative alternatives outcome introduce switch move migrate replace keep kept stored storing run running write written writing build built make made let go going get put set add adding added allow like want need needs needed require required requirement solution approach way instead rather propose proposal proposed suggest plan planned intend between across within through via per about up out off there here now still already yet even well better best good easy easier simple simpler fast faster large larger big bigger small smaller high higher low lower long longer short shorter work works working support supports supported provide provides based mandatory inside choice single ourselves themselves itself himself yourself myself after before never ever always them him her behind around here again once contain contains contained appear appears include includes hold holds happen happens remain remains stay stays staying continue continues afterward afterwards outside anymore any more given become becomes nowhere else last develop develops developed developing maintain maintained accept accepts accepted accepting offer offers offered further implement implements implemented implementing matter matters affect affected'.split(
      ' ',
    ),
  ),
);

/** Words that name almost anything: they tell a phrase from another, but not a topic. */
const WEAK_WORDS = new Set(
  stemsOf(
    'store storage standard default primary main system systems application applications app apps project projects product platform component components module modules team teams company organisation organization code codebase data database databases db datastore persistence persistent broker brokers framework frameworks library libraries tool tools technology technologies language languages server servers runtime engine vendor provider time times year month day architecture architectural purpose strategy policy style styles format type types kind existing software developer developers engineer engineers'.split(
      ' ',
    ),
  ),
);

/** Words that people take for one another, by the meaning they share. */
const MEANINGS: Readonly<Record<string, string>> = {
  authent: 'login logins auth authenticate authentication signin sign-in sso log-in',
  frontend: 'ui gui web webpage browser page pages front-end screen screens frontend',
  backend: 'back-end backend service services microservice microservices server-side daemon daemons',
  money:
    'price prices amount amounts currency monetary payment payments invoice invoices total totals balance balances',
  secret: 'credential credentials password passwords secret secrets token tokens',
  messag: 'event events queue queues messaging message messages',
  ci: 'pipeline pipelines ci builds',
  deploy:
    'release releases released releasing rollout rollouts ship ships shipped deploy deploys deployed deploying deployment deployments',
  metric: 'monitoring observability monitor monitored dashboard dashboards metric metrics',
  date: 'timestamp timestamps datetime instant instants date dates',
  test: 'spec specs testing test tests tested',
  id: 'identifier identifiers key keys id ids',
  api: 'endpoint endpoints interface interfaces api apis',
  file: 'upload uploads attachment attachments document documents image images blob blobs file files',
  log: 'log logs logged logging',
  cach: 'cached caching cache caches',
  flag: 'toggle toggles flag flags',
  infrastructur: 'provisioning provision provisioned infrastructure',
  branch: 'branch branches branching',
  delet: 'delete deletes deleted deleting deletion erase erased purge purged purging',
  updat:
    'update updates updated updating modify modified modifying alter altered edit edited overwrite overwritten mutate mutated change changes changed changing patch patches patched correct corrects corrected correcting',
  copi: 'copy copies copied copying export exports exported download downloads duplicate duplicated',
  call: 'call calls called calling invoke invokes invoked connect connects connecting connection connections contact contacts',
  read: 'read reads reading query queries querying queried access accesses accessing accessed fetch fetches fetching',
  direct: 'direct directly straight',
  mail: 'mail mails email emails e-mail e-mails',
  attach: 'attach attaches attached attaching',
  send: 'send sends sent sending transmit transmits transmitted deliver delivers delivered delivering pass passes passed passing',
  comput:
    'compute computes computed computing calculate calculates calculated calculating calculation calculations',
  pay: 'pay pays paid paying',
  draw: 'draw draws drawn drew drawing',
  sign: 'sign signs signed signing signature signatures',
  sell: 'sell sells sold selling',
  show: 'show shows shown showing',
  rewrit: 'rewrite rewrites rewriting rewritten rewrote',
  prod: 'production prod productive',
  review: 'review reviews reviewed reviewing reviewer reviewers approval approve approved',
  encrypt: 'encrypt encrypts encrypted encryption encrypting',
  manual: 'manual manually by-hand hand-made handmade',
  automat: 'automatic automatically automated automate automation',
  instal: 'install installs installed installing installation',
  schedul: 'schedule schedules scheduled scheduling scheduler',
  person: 'person persons people individual individuals',
};

/** Phrases that are one word to whoever writes them. */
const PHRASES =
  '(?:log|sign)(?:s|ged|ging|ed|ing)?[ -](?:in|on)(?=\\W|$)|(?:second|two|multi|multiple)[ -]factors?(?: authentication)?|[2m]fa(?=\\W|$)|third[ -]part(?:y|ies)|by hand(?=\\W|$)|pull[ -]requests?|merge[ -]requests?|stored[ -]procedures?|plain[ -]?text|clear[ -]?text|open[ -]source|data cent(?:re|er)s?|(?:(?:of )?our own|in[ -]house|self[ -]built|home[ -]grown|tailor[ -]made)(?=\\W|$)';
const PHRASE_MEANINGS: readonly (readonly [RegExp, string])[] = [
  [/^(?:log|sign)/, 'authent'],
  [/factor|fa$/, 'secondfactor'],
  [/^third/, 'thirdparty'],
  [/^by hand/, 'manual'],
  [/^(?:pull|merge)/, 'pullrequest'],
  [/^(?:plain|clear)/, 'plaintext'],
  [/ own$|^(?:in.house|self.built|home.grown|tailor)/, 'inhouse'],
];

const MEANING_OF = new Map(
  Object.entries(MEANINGS).flatMap(([meaning, words]) => words.split(' ').map((word) => [word, meaning])),
);
const WORD = new RegExp(
  `(?:${PHRASES})|[\\p{L}\\p{N}](?:[\\p{L}\\p{N}'’_-]*[\\p{L}\\p{N}])?(?:\\+\\+|#(?!\\p{L}))?`,
  'giu',
);

/** A name that is a verb as well: within a sentence, or where nothing follows that one could go. */
const GO = /(?<=[a-z,] )Go\b|Go\b(?! (?:back|live|on|ahead|to|with|through|from)\b)/y;

const NAMED = /(?<![.!?:]\s+|^\W*)\p{Lu}[\p{L}\p{N}+#]*|\p{L}+\p{Lu}[\p{L}\p{N}]*/gu;

export interface TopicWord {
  readonly stem: string;
  readonly from: number;
  readonly to: number;
}

/** The words of a text that carry meaning, each by its stem and with its place. */
export function topicWords(text: string): readonly TopicWord[] {
  return phraseWords(text).filter(({ stem: root }) => !isWeak(root));
}

/** As topicWords, with the words that tell little. */
export function phraseWords(text: string): readonly TopicWord[] {
  return [...text.matchAll(WORD)].flatMap((match) => {
    const word = match[0].replace(/['’]s?$/, '');
    GO.lastIndex = match.index;
    const meaning = word === 'Go' && GO.test(text) ? 'golang' : meaningOf(word.toLowerCase());
    return meaning === undefined
      ? []
      : [{ stem: meaning, from: match.index, to: match.index + match[0].length }];
  });
}

/** What looks like a name, in whichever place but the first of a sentence. */
export function namesIn(text: string): ReadonlySet<string> {
  return new Set(
    [...text.matchAll(NAMED)].flatMap(([word]) => phraseWords(word).map(({ stem: root }) => root)),
  );
}

export function isWeak(root: string): boolean {
  return WEAK_WORDS.has(root);
}

/** undefined: the word says nothing of what is spoken about. */
function meaningOf(word: string): string | undefined {
  if (word.includes(' ') || word.includes('-') || word.endsWith('fa')) {
    const [, meaning] = PHRASE_MEANINGS.find(([phrase]) => phrase.test(word)) ?? [];
    if (meaning !== undefined) return meaning;
    if (/[ -]/.test(word)) return MEANING_OF.get(word) ?? word.replace(/s$/, '');
  }
  const known = MEANING_OF.get(word);
  if (known !== undefined) return known;
  const root = stem(word);
  if (FUNCTION_WORDS.has(root) || (word.length < 2 && !/\p{N}/u.test(word))) return undefined;
  return root;
}

export function topicStems(text: string): ReadonlySet<string> {
  return new Set(topicWords(text).map((word) => word.stem));
}

export function phraseStems(text: string): ReadonlySet<string> {
  return new Set(phraseWords(text).map((word) => word.stem));
}

function stemsOf(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => [word, stem(word)]);
}
