/** Pairs of which a thing is one or the other, each side with the words that say it. */
const PAIRS: readonly (readonly [string, string])[] = [
  ['before', 'after|afterwards|once'],
  ['separate|separately|dedicated|isolated', 'same|shared|common'],
  ['same', 'fresh|different|other'],
  ['single|one', 'two|several|multiple|second|many'],
  ['synchronous|synchronously|blocking', 'asynchronous|asynchronously|async'],
  ['manual|manually', 'automatic|automatically|automated|automate'],
  ['mandatory|required|obligatory', 'optional|voluntary'],
  [
    'immutable|append-only|read-only|unchangeable',
    'mutable|updat(?:e|es|ed|ing)|editable|writable|delet(?:e|es|ed|ing)',
  ],
  ['encrypted|encrypts?', 'unencrypted|plain text|plaintext|clear text|cleartext'],
  ['stateless', 'stateful|sticky'],
  ['server-side|on the server', 'client-side|in the browser'],
  ['centrally|central|centralised|centralized', 'locally|local|decentralised|decentralized|per team'],
  ['batch|nightly', 'stream|streaming|real-time|continuous|continuously'],
  ['native|natively', 'cross-platform|hybrid'],
  ['internal|private', 'public|publicly'],
  ['groups?|roles?', 'single persons?|individuals?|as a person|user by user'],
  ['strict|strictly', 'lenient|loose'],
  ['pull', 'push'],
  ['off|disabled|opt-in', '(?:turn|switch)(?:s|es|ed|ing)?(?: \\w+){0,3} on|enabled?|opt[- ]out'],
  ['fail(?:s|ing)? fast', 'swallow(?:s|ing)?|ignor(?:e|es|ing)'],
];

const SIDES = PAIRS.map(([one, other]) => [sideOf(one), sideOf(other)] as const);

/** True where one text has a word whose opposite the other has, and neither has both. */
export function saysOpposite(one: string, other: string): boolean {
  return SIDES.some(([a, b]) => {
    const first = [a.test(one), b.test(one)];
    const second = [a.test(other), b.test(other)];
    if (first[0] === first[1] || second[0] === second[1]) return false;
    return first[0] !== second[0];
  });
}

function sideOf(words: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${words})(?![\\p{L}\\p{N}_-])`, 'iu');
}
