import { Check } from 'typebox/schema';
import { isJsonObject } from '../../../domain/json-value.js';
import { TOOL_ERROR_TYPES } from '../../../domain/tool/tool-error.js';
import { parseToolInputSchema } from '../../../domain/tool/tool-input-schema.js';
import { isDescription, placeholderIn } from './plain-words.js';
import {
  jsonBlocks,
  parseSpecification,
  SPECIFICATION_SECTIONS,
  type SpecificationSection,
  type SpecifiedTool,
  tableRows,
} from './specification-parser.js';

export interface SpecificationProblem {
  readonly tool: string;
  readonly section?: SpecificationSection;
  readonly message: string;
}

const SEMVER = /^\d+\.\d+\.\d+/;
const NAME = /^`?([a-z][a-z0-9_.-]*)`?$/i;
const SUBJECTS = ['Files', 'Network', 'Code execution', 'Data changes', 'Secrets'];
const CODES = new Set(Object.values(TOOL_ERROR_TYPES).map(({ code }) => code));

/**
 * Checks a MCP_TOOL_SPECIFICATION.md, generated or written by hand after docs/template: the eight sections, their
 * tables and schemas, error codes, and that every example is a call which its schema accepts. Empty: all is well.
 */
export function checkToolSpecification(markdown: string): readonly SpecificationProblem[] {
  const tools = parseSpecification(markdown);
  if (tools.length === 0) {
    return [{ tool: '', message: 'There is no tool: each is a heading of the third level, ### name.' }];
  }
  const twice = tools.filter(({ name }, index) => tools.findIndex((tool) => tool.name === name) < index);
  return [
    ...twice.map(({ name }) => ({ tool: name, message: `${name} is specified twice.` })),
    ...tools.flatMap((tool) => problemsOf(tool)),
  ];
}

function problemsOf(tool: SpecifiedTool): readonly SpecificationProblem[] {
  const { name, titles, version } = tool;
  if (titles.join('\n') !== SPECIFICATION_SECTIONS.join('\n')) {
    const wanted = SPECIFICATION_SECTIONS.join(', ');
    return [
      { tool: name, message: `The sections must be, in this order: ${wanted}. Got: ${titles.join(', ')}.` },
    ];
  }
  const checks: readonly (readonly [SpecificationSection, readonly string[]])[] = [
    [
      'Tool Purpose and Description',
      tool.text('Tool Purpose and Description') === '' ? ['It is empty.'] : [],
    ],
    ['Invocation Name', nameProblems(tool)],
    ['Input Schema (Parameters)', inputProblems(tool.text('Input Schema (Parameters)'))],
    ['Output Schema (Return Value)', outputProblems(tool.text('Output Schema (Return Value)'))],
    ['Error Handling', errorProblems(tool.text('Error Handling'))],
    ['Idempotency', idempotencyProblems(tool.text('Idempotency'))],
    ['Usage Examples (for MCP context)', exampleProblems(tool)],
    ['Security Considerations', securityProblems(tool.text('Security Considerations'))],
  ];
  const versioned =
    version !== undefined && SEMVER.test(version)
      ? []
      : [{ tool: name, message: 'A line "Version 1.0.0" with a semantic version must follow the heading.' }];
  return [
    ...versioned,
    ...checks.flatMap(([section, messages]) => messages.map((message) => ({ tool: name, section, message }))),
  ];
}

function nameProblems(tool: SpecifiedTool): readonly string[] {
  const written = NAME.exec(tool.text('Invocation Name'))?.[1];
  return written === tool.name ? [] : [`It must be \`${tool.name}\`, as in the heading.`];
}

function inputProblems(text: string): readonly string[] {
  const schema = parseToolInputSchema(jsonBlocks(text)[0]);
  if (!schema.success)
    return ['A JSON block with the schema of the arguments ("type": "object") is missing.'];
  const { properties = {}, required = [] } = schema.value;
  const rows = new Map(tableRows(text).map((row) => [row.Name?.replaceAll('`', ''), row]));
  const unknown = [...rows.keys()].filter((name) => name === undefined || !(name in properties));
  return [
    ...unknown.map((name) => `${name} is in the table and not in the schema.`),
    ...Object.keys(properties).flatMap((name) => {
      const row = rows.get(name);
      if (row === undefined) return [`${name} is in the schema and not in the table.`];
      const needed = required.includes(name) ? 'Yes' : 'No';
      return [
        ...(row.Required === needed ? [] : [`${name}: Required must be ${needed}.`]),
        ...rowProblems(name, row),
        ...(isDescription(row.Description ?? '') ? [] : [`${name}: say its purpose and its valid values.`]),
      ];
    }),
  ];
}

function outputProblems(text: string): readonly string[] {
  const [schema] = jsonBlocks(text);
  const rows = tableRows(text);
  return [
    ...(isJsonObject(schema) ? [] : ['A JSON block with the schema of the answer is missing.']),
    ...(rows.length > 0 ? [] : ['A table of the fields is missing.']),
    ...rows.flatMap((row) => rowProblems((row.Name ?? '').replaceAll('`', ''), row)),
  ];
}

function rowProblems(name: string, row: Readonly<Record<string, string>>): readonly string[] {
  return ['Type', 'Description', 'Example'].flatMap((column) =>
    (row[column] ?? '') === '' ? [`${name}: ${column} is empty.`] : [],
  );
}

function errorProblems(text: string): readonly string[] {
  const rows = tableRows(text);
  const types = rows.map((row) => row.error_type ?? '');
  const twice = types.filter((type, index) => types.indexOf(type) < index);
  return [
    ...(rows.length > 0 ? [] : ['A table with error_type, error_code and when is missing.']),
    ...twice.map((type) => `${type} is listed twice.`),
    ...rows.flatMap(({ error_type: type = '', error_code: code = '', when = '' }) => [
      ...(CODES.has(Number(code))
        ? []
        : [`${type}: ${code || 'nothing'} is no code; there are ${[...CODES].join(', ')}.`]),
      ...(when === '' ? [`${type}: say when it comes.`] : []),
    ]),
    ...(/error_message/.test(text)
      ? []
      : ['Say how a failure is reported: status, error_type, error_message.']),
  ];
}

function idempotencyProblems(text: string): readonly string[] {
  return /^(Yes|No)\. \S/.test(text)
    ? []
    : ['Begin with "Yes." or "No.", then say what a repeated call does.'];
}

function exampleProblems(tool: SpecifiedTool): readonly string[] {
  const calls = jsonBlocks(tool.text('Usage Examples (for MCP context)'));
  const schema = parseToolInputSchema(jsonBlocks(tool.text('Input Schema (Parameters)'))[0]);
  if (calls.length === 0) return ['At least one JSON block with a complete call is needed.'];
  return calls.flatMap((call, index) => {
    const at = `Example ${index + 1}`;
    if (!isJsonObject(call) || call.tool_name !== tool.name || !isJsonObject(call.arguments))
      return [`${at} must be JSON with "tool_name": "${tool.name}" and "arguments".`];
    const word = placeholderIn(JSON.stringify(call.arguments));
    return [
      ...(word === undefined ? [] : [`${at} has the placeholder "${word}"; use a concrete value.`]),
      ...(schema.success && !Check(schema.value, call.arguments)
        ? [`${at} does not fit the input schema.`]
        : []),
    ];
  });
}

function securityProblems(text: string): readonly string[] {
  return SUBJECTS.flatMap((subject) => {
    const words = new RegExp(`^- \\*\\*${subject}:\\*\\* (.*)$`, 'm').exec(text)?.[1] ?? '';
    const enough = /^None\b/.test(words) || words.split(/\s+/).length >= 6;
    return enough
      ? []
      : [`Say what it means for "${subject}", in a line "- **${subject}:** …"; "None." where nothing.`];
  });
}
