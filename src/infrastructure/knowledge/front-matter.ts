import { isJsonObject } from '../../domain/json-value.js';
import { Result } from '../../domain/result.js';
import { nestsTooDeeply } from '../config/yaml-nesting.js';

export type FrontMatter = Readonly<Record<string, unknown>>;

const MAX_CHARACTERS = 64 * 1024;
const KEY = /^([A-Za-z][\w-]*):/;
const PLAIN_VALUE = /^(?:[^\s"'[\]{}>|*&!%#@`,:?-][^"'[\]{}#:]*)?$/;
const NOT_A_TEXT = /^(?:true|false|null|yes|no|on|off|~|[-+.]?\d[\d_.eExXoO:+-]*|\.(?:inf|nan))$/i;

/**
 * The values between the fences. Flat lines of plain text are parsed here; anything else by the YAML parser.
 */
export async function readFrontMatter(text: string): Promise<Result<FrontMatter>> {
  if (text.length > MAX_CHARACTERS) {
    return Result.failure(
      `Its front matter has ${text.length} characters and at most ${MAX_CHARACTERS} are read.`,
      'InvalidFrontMatter',
    );
  }
  const plain = readPlainLines(text);
  return plain === undefined ? readYaml(text) : Result.ok(plain);
}

function readPlainLines(text: string): FrontMatter | undefined {
  const values: Record<string, unknown> = {};
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const [opening = '', key] = KEY.exec(line) ?? [];
    const value = line.slice(opening.length).trim();
    if (
      !PLAIN_VALUE.test(value) ||
      key === undefined ||
      key === '__proto__' ||
      key in values ||
      NOT_A_TEXT.test(value)
    )
      return undefined;
    values[key] = value;
  }
  return values;
}

async function readYaml(text: string): Promise<Result<FrontMatter>> {
  if (nestsTooDeeply(text)) {
    return Result.failure('Its front matter cannot be read: it nests too deep.', 'InvalidFrontMatter');
  }
  const { parseDocument } = await import('yaml');
  try {
    const document = parseDocument(text, { prettyErrors: false, logLevel: 'silent', stringKeys: true });
    const [problem] = document.errors;
    if (problem !== undefined) throw problem;
    // Aliases multiply: a few hundred characters of them can expand to gigabytes.
    const value: unknown = document.toJS({ maxAliasCount: 0 });
    if (value === null || value === undefined) return Result.ok({});
    if (isJsonObject(value)) return Result.ok(value);
    return Result.failure('Its front matter is not a map of keys and values.', 'InvalidFrontMatter');
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
    return Result.failure(`Its front matter cannot be read: ${reason}`, 'InvalidFrontMatter');
  }
}
