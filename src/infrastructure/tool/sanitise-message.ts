const MAX_LENGTH = 300;
const ABSOLUTE_PATH = /(?<![\w:/.-])(?:[A-Za-z]:\\|\/)[^\s'"`:;,()<>]+/g;
const CONTROL = /[\p{Cc}\u2028\u2029]/gu;

/** The first line of a message without paths or control characters: fit for a caller who may see neither. */
export function sanitiseMessage(message: string): string {
  const [line = ''] = message.slice(0, 4 * MAX_LENGTH).split('\n', 1);
  const clean = line.replace(ABSOLUTE_PATH, '[path]').replace(CONTROL, '?').trim();
  if (clean === '') return 'the tool gave no reason';
  return clean.length > MAX_LENGTH ? `${clean.slice(0, MAX_LENGTH)}...` : clean;
}
