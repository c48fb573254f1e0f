import { isJsonObject } from '../../domain/json-value.js';
import { Result } from '../../domain/result.js';
import { putJson, readJson } from './json-entry.js';
import { appendItem } from './json-text.js';
import { withTomlValue } from './toml-entry.js';

/** One change of a client's settings. */
export type SettingsEdit =
  /** The value of a key, by the keys that lead to it. */
  | { readonly at: readonly string[]; readonly value: unknown }
  /** Items that a list has to have. */
  | { readonly at: readonly string[]; readonly add: readonly unknown[] };

type Path = readonly [string, ...string[]];

/** Every step of the changes, in a text that stays as it is everywhere else. */
export async function editSettings(
  text: string,
  file: { readonly path: string; readonly format: 'json' | 'toml' },
  edits: readonly SettingsEdit[],
): Promise<Result<readonly string[]>> {
  const steps: string[] = [];
  for (const edit of edits) {
    const now = steps.at(-1) ?? text;
    const next =
      file.format === 'json' ? await editJson(now, file.path, edit) : editToml(now, file.path, edit);
    if (!next.success) return next;
    if (next.value !== now) steps.push(next.value);
  }
  return Result.ok(steps);
}

async function editJson(text: string, file: string, edit: SettingsEdit): Promise<Result<string>> {
  const read = await readJson(text, file);
  if (!read.success) return read;
  const whole = text.trim() === '' ? '{}\n' : text;
  const wanted = 'add' in edit ? edit.add : edit.value;
  const [first = '', ...others] = edit.at;
  const path: Path = [first, ...others];
  const found = present(read.value, path);
  if (found.kind === 'wrong') return wrongKey(file, found.at);
  if (found.kind === 'missing') {
    const [key = first, ...inner] = path.slice(found.depth);
    const value = inner.reduceRight<unknown>((nested, name) => ({ [name]: nested }), wanted);
    const [head = key, ...tail] = [...path.slice(0, found.depth), key];
    return Result.ok(await putJson(whole, [head, ...tail], value));
  }
  if (!('add' in edit)) return Result.ok(await putJson(whole, path, wanted));
  if (!Array.isArray(found.value)) return wrongKey(file, path);
  const known = new Set(found.value.map((item) => JSON.stringify(item)));
  const items = edit.add.filter((item) => !known.has(JSON.stringify(item)));
  let after = whole;
  for (const item of items) after = await appendItem(after, path, item);
  return Result.ok(after);
}

type Present =
  | { readonly kind: 'value'; readonly value: unknown }
  /** So many keys of the path are there. */
  | { readonly kind: 'missing'; readonly depth: number }
  | { readonly kind: 'wrong'; readonly at: readonly string[] };

function present(settings: Readonly<Record<string, unknown>>, path: Path): Present {
  let value: unknown = settings;
  for (const [depth, key] of path.entries()) {
    if (!isJsonObject(value)) return { kind: 'wrong', at: path.slice(0, depth) };
    if (!Object.hasOwn(value, key)) return { kind: 'missing', depth };
    value = value[key];
  }
  return { kind: 'value', value };
}

function editToml(text: string, file: string, edit: SettingsEdit): Result<string> {
  const key = edit.at.at(-1) ?? '';
  const value = 'add' in edit ? undefined : edit.value;
  if (typeof value !== 'string' && typeof value !== 'boolean') return wrongKey(file, edit.at);
  return withTomlValue(text, { file, table: edit.at.slice(0, -1).join('.'), key }, value);
}

function wrongKey(file: string, at: readonly string[]): Result<never> {
  return Result.failure(
    `${file}: "${at.join('.')}" is not what it should be there. Correct it first; nothing was changed.`,
    'InvalidClientFile',
  );
}
