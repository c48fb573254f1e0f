import type { FileProblem } from '../../domain/file-problem.js';
import type { Prompt } from '../../domain/prompt/prompt.js';
import { readYamlTree } from '../config/read-yaml-tree.js';
import { choice, flag, listOf, mapped, Reading, record, text } from '../config/yaml-shape.js';

interface ArgumentFields {
  name?: string;
  description?: string;
  required?: boolean;
}

interface MessageFields {
  role?: 'user' | 'assistant';
  content?: { type?: 'text'; text?: string };
}

interface PromptFields {
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
const argument = record<ArgumentFields>(
  'an argument: name, description, required',
  { name: text, description: text, required: flag },
  ['name'],
);
const content = record<NonNullable<MessageFields['content']>>(
  'a content: type, text',
  { type: choice('text'), text },
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
    name,
    title: text,
    description: text,
    arguments: listOf(argument),
    messages: listOf(message),
    examples: listOf(text),
  },
  ['name', 'description', 'messages'],
);

/** A prompt from its file; undefined with at least one problem reported. JSON is read as the YAML it also is. */
export async function readPromptFile(
  file: string,
  bytes: Uint8Array,
  problems: FileProblem[],
): Promise<Prompt | undefined> {
  const before = problems.length;
  const tree = await readYamlTree(file, bytes, problems);
  if (tree === undefined) return undefined;
  const fields = prompt.read(tree, new Reading(file, problems));
  const messages = (fields?.messages ?? []).flatMap(({ role, content: said }) =>
    role === undefined || said?.text === undefined ? [] : [{ role, text: said.text }],
  );
  const { name: named, description, title, examples = [] } = fields ?? {};
  if (problems.length > before || named === undefined || description === undefined) return undefined;
  return {
    name: named,
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
