import type { ContentBlock } from '../tool/tool-result.js';

export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

/** Both count from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** Sent instead of the text: an image, audio or a resource. `{{argument}}` in its strings is replaced. */
  readonly content?: ContentBlock;
  /** Where the text begins in the file. */
  readonly at?: TextPlace;
}

/** A template of messages, as in its file. */
export interface Prompt {
  readonly name: string;
  /** The file it was read from. */
  readonly file?: string;
  /**
   * True if it ships with Castellan: what it refers to need not exist in every project, and users could not
   * correct it.
   */
  readonly shipped?: boolean;
  readonly title?: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  readonly messages: readonly PromptMessage[];
  readonly examples: readonly string[];
}

/** Fifteen slots for prompts that take any number of values. */
const SLOT = /^arg[1-9A-F]$/;
export const VARARGS = 'args';

export function isVarargs({ arguments: declared }: Prompt): boolean {
  return declared.length > 0 && declared.every(({ name }) => SLOT.test(name));
}

/** The arguments shown to a client; a prompt that has only slots shows one, `*args`. */
export function shownArguments(prompt: Prompt): readonly PromptArgument[] {
  if (!isVarargs(prompt)) return prompt.arguments;
  const most = prompt.arguments.length;
  const words = prompt.arguments[0]?.description ?? '';
  return [
    {
      name: VARARGS,
      description:
        `Up to ${most} values separated by spaces; put a value with spaces in quotes. ${words}`.trim(),
      required: prompt.arguments.some(({ required }) => required),
    },
  ];
}

/** The client's values by the names in the file: values of `args` fill the slots in order. */
export function slotValues(
  prompt: Prompt,
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const { [VARARGS]: all, ...rest } = given;
  if (!isVarargs(prompt) || all === undefined) return given;
  const values: string[] = [];
  for (const [, a, b, c] of all.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)) {
    if (values.length === prompt.arguments.length) break;
    values.push(a ?? b ?? c ?? '');
  }
  const slots = prompt.arguments.flatMap(({ name }, index) => {
    const value = values[index];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(slots), ...rest };
}

/** A prompt's description in four labelled sections: purpose, arguments, usage, examples. */
export function promptDescription(prompt: Prompt): string {
  const shown = shownArguments(prompt);
  const words = shown.map(({ name, required }) =>
    required ? `<${shownName(name)}>` : `[${shownName(name)}]`,
  );
  const schema = shown.map(
    ({ name, description, required }) =>
      `- ${shownName(name)} (string, ${required ? 'required' : 'optional'}): ${description}`,
  );
  const [firstLine = ''] = prompt.description.split('\n', 1);
  return [
    firstLine,
    ...section('Description', [prompt.description]),
    ...section('Conceptual Schema', [
      `${prompt.name}(${shown.map(({ name }) => shownName(name)).join(', ')})`,
      ...schema,
    ]),
    ...section('Usage', asCode([`@${[prompt.name, ...words].join(' ')}`])),
    ...examplesOf(prompt),
  ].join('\n');
}

/** A prompt without arguments is its own example. */
function examplesOf({ name, examples, arguments: declared }: Prompt): readonly string[] {
  if (examples.length === 0 && declared.length > 0) return [];
  const calls = examples.length === 0 ? [`@${name}`] : examples.map((example) => `@${name} ${example}`);
  return section('Examples', asCode(calls));
}

function shownName(name: string): string {
  return name === VARARGS ? '*args' : name;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return ['', `## ${title}`, ...lines];
}

function asCode(lines: readonly string[]): readonly string[] {
  return ['```text', ...lines, '```'];
}
