import type { ToolDefinition } from '../../application/tool/tool-definition.js';
import { toSchemaMarkdown } from './schema-markdown.js';

/** `full`: the four sections. `concise`: what a model needs when every token counts. */
export type DescriptionStyle = 'full' | 'concise';

/** The text that tools/list sends: always with the undecorated name, as every document has it. */
export function buildToolDescription(definition: ToolDefinition, style: DescriptionStyle): string {
  return style === 'full' ? fullDescription(definition) : conciseDescription(definition);
}

function fullDescription(definition: ToolDefinition): string {
  const { summary, description, name, input, examples } = definition;
  return [
    summary,
    '',
    '## Description',
    ...consentText(definition),
    description,
    '',
    '## JSON Schema',
    toSchemaMarkdown(input),
    '',
    'Arguments must match this schema exactly; nothing else is accepted.',
    fence('json', JSON.stringify(input, undefined, 2)),
    '',
    '## Usage',
    usageText(definition),
    '',
    '## Examples',
    ...examples.map((example) =>
      [
        `${example.title}:`,
        fence('json', JSON.stringify({ tool_name: name, arguments: example.arguments })),
      ].join('\n'),
    ),
  ].join('\n');
}

/** The schema says the rest. */
function conciseDescription(definition: ToolDefinition): string {
  const { concise, summary, description } = definition;
  return [concise?.text ?? `${summary} ${description}`, ...conciseConsent(definition)].join('\n');
}

/** What every tool marked with an explicit action says before anything else. */
function consentText({ explicitAction }: ToolDefinition): readonly string[] {
  if (explicitAction === undefined) return [];
  return [
    'REQUIRES EXPLICIT USER INSTRUCTION: call this only when the user has asked for exactly this action in so many words. ' +
      `Their consent is stated by explicit_action, which must be "${explicitAction}"; any other value is refused. ` +
      'Do not use it frivolously, on a guess, or to tidy up after yourself.',
  ];
}

function conciseConsent({ explicitAction }: ToolDefinition): readonly string[] {
  if (explicitAction === undefined) return [];
  return [
    `REQUIRES EXPLICIT USER INSTRUCTION: their consent is stated by explicit_action, which must be "${explicitAction}". Do not use it frivolously.`,
  ];
}

/** The general form of a call and how it is made, as code. */
export function usageText(definition: ToolDefinition): string {
  return fence('text', `${definition.name}(${signature(definition)})\n${definition.usage}`);
}

function signature({ input }: ToolDefinition): string {
  const required = new Set(input.required);
  return Object.keys(input.properties ?? {})
    .map((name) => (required.has(name) ? name : `${name}?`))
    .join(', ');
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
