import type { JsonValue } from '../json-value.js';
import { redactionPlaceholder } from '../redaction/redaction-placeholder.js';
import { isSecretKeyName } from '../redaction/secret-key-name.js';
import { redactSecrets } from '../redaction/secret-shapes.js';

const SHOWN = 100;
/**
 * The part of a long text that is examined. Its end is never shown: a secret cut in half is not recognised.
 */
const WINDOW = 2048;
const MARGIN = 256;
const MAX_MEMBERS = 50;
const MAX_DEPTH = 6;

/** Arguments for a log: long strings cut, secrets redacted, limited size. */
export function previewArguments(
  args: unknown,
  redact: (text: string) => string = (text) => redactSecrets(text),
): JsonValue {
  return preview(args, redact, 0);
}

function preview(value: unknown, redact: (text: string) => string, depth: number): JsonValue {
  switch (typeof value) {
    case 'string':
      return previewText(value, redact);
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'boolean':
      return value;
    case 'object':
      return value === null ? null : previewMembers(value, redact, depth);
    default:
      return `[${typeof value}]`;
  }
}

function previewText(text: string, redact: (text: string) => string): string {
  const whole = text.length <= WINDOW;
  const clean = redact(whole ? text : text.slice(0, WINDOW));
  if (text.length <= SHOWN) return clean;
  const shown = whole ? SHOWN : Math.min(SHOWN, Math.max(0, clean.length - MARGIN));
  return `${cutAt(clean, shown)}... [${text.length} chars]`;
}

/** Never cuts through a surrogate pair. */
function cutAt(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

function previewMembers(value: object, redact: (text: string) => string, depth: number): JsonValue {
  if (Array.isArray(value)) {
    if (depth >= MAX_DEPTH) return `[${value.length} items]`;
    const items = value.slice(0, MAX_MEMBERS).map((item) => preview(item, redact, depth + 1));
    return value.length > MAX_MEMBERS ? [...items, `... [${value.length} items]`] : items;
  }
  const entries: [string, unknown][] = Object.entries(value);
  if (depth >= MAX_DEPTH) return `{${entries.length} members}`;
  const shown = entries.slice(0, MAX_MEMBERS).map(([key, member]): [string, JsonValue] => {
    const hidden = isSecretKeyName(key) && !isPlain(member);
    return [
      previewText(key, redact),
      hidden ? redactionPlaceholder('name') : preview(member, redact, depth + 1),
    ];
  });
  if (entries.length > MAX_MEMBERS) shown.push(['...', `[${entries.length} members]`]);
  return Object.fromEntries(shown);
}

/** True if it holds nothing to hide: `{ token: null }`. */
function isPlain(value: unknown): boolean {
  return value === null || value === undefined || typeof value === 'boolean' || value === '';
}
