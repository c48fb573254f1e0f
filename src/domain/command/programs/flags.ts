/**
 * Returns true if a word gives this flag in any form that some program accepts: alone, with a value, as a
 * prefix of a long name, as one of several letters, with one dash instead of two. In doubt it returns true,
 * so use it for denies.
 */
export function givesFlag(word: string, flag: string): boolean {
  if (!flag.startsWith('-')) return word === flag;
  if (!word.startsWith('-') || word === '-' || word === '--') return false;
  if (/^-[^-]$/.test(flag)) return /^-[^-]/.test(word) && word.includes(flag.charAt(1));
  const name = flag.replace(/^--?/, '');
  const given = word.replace(/^--?/, '').replace(/=.*$/s, '');
  if (given === name) return true;
  return word.startsWith('--') && given !== '' && name.startsWith(given);
}

/** The same, but in doubt false: for allows. */
export function isFlag(word: string, flag: string): boolean {
  return word === flag || (flag.startsWith('--') && word.startsWith(`${flag}=`));
}
