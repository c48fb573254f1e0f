const TELLING = [
  'password',
  'passwd',
  'passphrase',
  'secret',
  'token',
  'authorization',
  'apikey',
  'accesskey',
  'privatekey',
  'signingkey',
  'encryptionkey',
  'credential',
  'cookie',
  'connectionstring',
];
const TELLING_WORDS = new Set(['auth', 'pwd', 'pass', 'pin', 'otp', 'bearer', 'jwt', 'sid']);
/** Token counts and the like are numbers that people need to see. */
const HARMLESS = new Set([
  'maxtokens',
  'inputtokens',
  'outputtokens',
  'totaltokens',
  'tokencount',
  'tokens',
  'nextpagetoken',
]);
const MAX_KNOWN = 2000;
const known = new Map<string, boolean>();

/**
 * Returns true if a member of this name holds a secret, in any case and with any separators: `Api-Key`,
 * `DB_PASSWORD`.
 */
export function isSecretKeyName(name: string): boolean {
  const answer = known.get(name);
  if (answer !== undefined) return answer;
  const secret = judge(name);
  if (name.length <= 64) {
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(name, secret);
  }
  return secret;
}

function judge(name: string): boolean {
  const letters = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  if (HARMLESS.has(letters)) return false;
  if (TELLING.some((word) => letters.includes(word))) return true;
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]/)
    .some((word) => TELLING_WORDS.has(word));
}
