import { basename } from 'node:path';
import type { FileProblem } from '../../domain/file-problem.js';
import type { Prompt, TextPlace } from '../../domain/prompt/prompt.js';
import { readJsonTree } from '../config/json-tree.js';
import { choice, flag, listOf, mapped, Reading, record, text } from '../config/yaml-shape.js';

interface ArgumentFields {
  name?: string;
  description?: string;
  required?: boolean;
}

interface MessageFields {
  role?: 'user' | 'assistant';
  content?: { type?: 'text'; text?: PlacedText };
}

interface PlacedText {
  readonly text: string;
  readonly at: TextPlace;
}

interface PromptFields {
  $comment?: string;
  name?: string;
  title?: string;
  description?: string;
  arguments?: readonly Partial<ArgumentFields>[];
  messages?: readonly Partial<MessageFields>[];
  examples?: readonly string[];
}

const NAME = /^[a-z0-9_-]+$/;
const name = mapped(text, (value, at, reading) =>
  NAME.test(value) && value.length <= 100
    ? value
    : reading.report(
        at,
        `A name has lower-case letters, digits, - and _ only; got ${JSON.stringify(value.slice(0, 50))}.`,
      ),
);
/** A text that is not empty: models and people choose by it. */
function said(what: string, about: string) {
  return mapped(text, (value, at, reading) =>
    value.trim() === '' ? reading.report(at, `The description of ${what} is empty. Say ${about}.`) : value,
  );
}
const argument = record<ArgumentFields>(
  'an argument: name, description, required',
  {
    name: text,
    description: said('an argument', 'what it is for and which values are right'),
    required: flag,
  },
  ['name', 'description'],
);
const placed = mapped(text, (value, at): PlacedText => ({ text: value, at }));
const content = record<NonNullable<MessageFields['content']>>(
  'a content: type, text',
  { type: choice('text'), text: placed },
  ['text'],
);
const message = record<MessageFields>(
  'a message: role, content',
  { role: choice('user', 'assistant'), content },
  ['role', 'content'],
);
const prompt = record<PromptFields>(
  'a prompt: name, description, arguments, messages',
  {
    $comment: text,
    name,
    title: text,
    description: said('a prompt', 'what it is for'),
    arguments: listOf(argument),
    messages: listOf(message),
    examples: listOf(text),
  },
  ['name', 'description', 'messages'],
);

/** Parses a prompt from strict JSON; undefined if at least one problem was reported. */
export function readPromptFile(file: string, bytes: Uint8Array, problems: FileProblem[]): Prompt | undefined {
  const before = problems.length;
  const tree = readJsonTree(file, bytes, problems);
  if (tree === undefined) return undefined;
  const reading = new Reading(file, problems);
  if (!NAME.test(basename(file, '.json'))) {
    const message = `The name of a prompt's file has lower-case letters, digits, - and _ only; got ${basename(file)}.`;
    reading.report({ line: 1, column: 1 }, message, 'Rename the file.');
  }
  const fields = prompt.read(tree, reading);
  const messages = (fields?.messages ?? []).flatMap(({ role, content: said }) =>
    role === undefined || said?.text === undefined ? [] : [{ role, ...said.text }],
  );
  if (problems.length === before && messages.length === 0) {
    reading.report(tree.at, 'A prompt has at least one message.');
  }
  if (problems.length === before && needsExamples(fields)) {
    const message = 'A prompt with arguments has an example at least, and this one has none.';
    const names = (fields?.arguments ?? []).map(({ name: known }) => known).join(' and ');
    reading.report(tree.at, message, `Add "examples": ["…"] with values for ${names}.`);
  }
  const { name: named, description, title, examples = [] } = fields ?? {};
  if (problems.length > before || named === undefined || description === undefined) return undefined;
  return {
    name: named,
    file,
    ...(title !== undefined && { title }),
    description,
    arguments: (fields?.arguments ?? []).flatMap(
      ({ name: known, description: words = '', required = false }) =>
        known === undefined ? [] : [{ name: known, description: words, required }],
    ),
    messages,
    examples,
  };
}

/** Without arguments there is one way to call it, which the description shows. */
function needsExamples(fields: Partial<PromptFields> | undefined): boolean {
  return (fields?.arguments ?? []).length > 0 && (fields?.examples ?? []).length === 0;
}
