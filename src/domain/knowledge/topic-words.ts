import { stem } from './stem.js';

/** Words that say nothing about what a decision is about. */
const GENERIC = new Set(
  stemsOf(
    'a an the this that these those it its we our us they their you your i he she be is are was were been being am do does did done has have had having will would shall should can could may might must of in on at by to for from with without into onto over under as and or but if then than so such because since while when where which who whose what how why also too very more most less least not no nor only just both either each every all any some other another same own new old existing current currently one two three first second use using used uses adopt adopting adopted choose chosen choice chose pick select decide decided decision record adr option options considered alternative alternatives outcome introduce switch move migrate replace keep kept store stored storing storage run running write written writing build built make made let go going get put set add adding added allow like want need needs needed require required requirement solution approach way option standard default primary main system systems service services application applications app apps project projects product platform component components module modules team teams company organisation organization code codebase data database databases db datastore persistence persistent broker brokers framework frameworks library libraries tool tools technology technologies language languages server servers runtime engine vendor provider instead rather propose proposal proposed suggest plan planned intend between across within through via per about up out off there here now still already yet even well better best good easy easier simple simpler fast faster large small high low long short time times year month day work works working support supports supported provide provides based native good option architecture architectural general purpose mandatory strategy policy style format type types kind inside internal backend access framework choice'.split(
      ' ',
    ),
  ),
);

const SYNONYMS: Readonly<Record<string, string>> = {
  login: 'authent',
  auth: 'authent',
  authenticate: 'authent',
  signin: 'authent',
  sso: 'authent',
  ui: 'frontend',
  web: 'frontend',
  browser: 'frontend',
  page: 'frontend',
  'front-end': 'frontend',
  screen: 'frontend',
  'back-end': 'backend',
  price: 'money',
  amount: 'money',
  currency: 'money',
  monetary: 'money',
  payment: 'money',
  invoice: 'money',
  total: 'money',
  balance: 'money',
  credential: 'secret',
  password: 'secret',
  token: 'secret',
  event: 'messag',
  queue: 'messag',
  messaging: 'messag',
  message: 'messag',
  publish: 'messag',
  pipeline: 'ci',
  build: 'ci',
  release: 'deploy',
  rollout: 'deploy',
  ship: 'deploy',
  deployment: 'deploy',
  monitoring: 'metric',
  observability: 'metric',
  monitor: 'metric',
  dashboard: 'metric',
  timestamp: 'date',
  datetime: 'date',
  instant: 'date',
  spec: 'test',
  testing: 'test',
  identifier: 'id',
  key: 'id',
  endpoint: 'api',
  interface: 'api',
  upload: 'file',
  attachment: 'file',
  document: 'file',
  image: 'file',
  blob: 'file',
  log: 'log',
  logging: 'log',
  cached: 'cach',
  caching: 'cach',
  cache: 'cach',
  toggle: 'flag',
  provisioning: 'infrastructur',
  provision: 'infrastructur',
  branch: 'branch',
  merge: 'branch',
};

const SYNONYM_STEMS = new Map(Object.entries(SYNONYMS).map(([word, meaning]) => [stem(word), meaning]));
const WORD = /[\p{L}\p{N}](?:[\p{L}\p{N}'’_-]*[\p{L}\p{N}])?/gu;

export interface TopicWord {
  readonly stem: string;
  readonly from: number;
  readonly to: number;
}

/** The words of a text that carry meaning, each by its stem and with its place. */
export function topicWords(text: string): readonly TopicWord[] {
  return [...text.matchAll(WORD)].flatMap((match) => {
    const word = match[0].toLowerCase();
    const root = stem(word);
    if (GENERIC.has(root) || (word.length < 2 && !/\p{N}/u.test(word))) return [];
    return [{ stem: SYNONYM_STEMS.get(root) ?? root, from: match.index, to: match.index + word.length }];
  });
}

export function topicStems(text: string): ReadonlySet<string> {
  return new Set(topicWords(text).map((word) => word.stem));
}

export function sharedStems(a: ReadonlySet<string>, b: ReadonlySet<string>): readonly string[] {
  return [...a].filter((word) => b.has(word));
}

function stemsOf(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => [word, stem(word)]);
}
