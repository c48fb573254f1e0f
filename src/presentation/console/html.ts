/** Text that may stand in a page as it is. */
export class Html {
  constructor(readonly text: string) {}
}

export type Fragment = string | number | Html | undefined | false | readonly Fragment[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Control characters but line ends and tabs, and the marks that turn the direction of writing. */
const UNPRINTABLE = /[^\P{Cc}\n\t]|[\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A template whose values are text unless they are pages themselves: nothing that a server says can be markup. */
export function html(parts: TemplateStringsArray, ...values: readonly Fragment[]): Html {
  return new Html(parts.map((part, index) => part + shown(values[index])).join(''));
}

function shown(value: Fragment): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(shown).join('');
  return escaped(String(value));
}

function escaped(text: string): string {
  return text
    .replaceAll(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
