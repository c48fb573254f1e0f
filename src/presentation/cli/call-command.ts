import type { ShowAnswer, ShownAnswer } from '../../application/call/shown-answer.js';
import { isJsonObject } from '../../domain/json-value.js';
import type { Envelope, Failure, Result } from '../../domain/result.js';
import type { ToolError } from '../../domain/tool/tool-error.js';
import { type ContentBlock, ToolResult } from '../../domain/tool/tool-result.js';
import { showCommand } from '../answers/command-text.js';
import { numberOf, textOf } from '../answers/json-fields.js';
import { agentNotes, isServerBlock } from '../answers/server-notes.js';
import { valueText } from '../answers/value-text.js';
import { toWireResult } from '../mcp/surface/result-mapping.js';
import { jsonArgumentProblem, parseJsonArgument } from './json-argument.js';
import type { ExitCode, Output } from './output.js';
import { unknownTool } from './unknown-tool.js';

type Arguments = Readonly<Record<string, unknown>>;

/** The parts of the server that a call uses. */
export interface CalledServer {
  execute(tool: string, args: Arguments): Promise<Result<ToolResult, ToolError>>;
  /** Converts the tool's results to text; undefined if it does not define how. */
  showOf(tool: string): ShowAnswer | undefined;
  /** Returns true if the tool runs commands, under whatever name it is called. */
  runsCommand(tool: string): boolean;
  /** The names of the tools that could be called. */
  toolNames(): readonly string[];
}

const WORTH_TELLING_MS = 1_000;

/**
 * `castellan call TOOL [JSON|-]`: one call through the whole pipeline. Text and the output of commands are
 * printed raw; other results as text for a person, otherwise as the envelope. A failure is printed as text.
 */
export async function callCommand(
  server: CalledServer,
  tool: string,
  json: string,
  options: { readonly json?: boolean },
  output: Output,
): Promise<ExitCode> {
  const args = parseJsonArgument(json);
  if (args === undefined) {
    output.err(jsonArgumentProblem(json));
    return 2;
  }
  const waiting = setInterval(() => output.progress(`${tool} is running …`), WORTH_TELLING_MS);
  const outcome = await server.execute(tool, args).finally(() => clearInterval(waiting));
  const result = outcome.success ? outcome.value : ToolResult.json(outcome.toEnvelope());
  if (options.json) output.out(JSON.stringify(toWireResult(result), undefined, 2));
  if (!outcome.success) {
    output.err(failureInWords(outcome.error, tool, server));
    if (output.forPeople) for (const step of stepsOf(outcome)) output.note(step);
    return 1;
  }
  return options.json ? 0 : print(outcome.value, server, tool, args, output);
}

/** A failure as a person at a terminal needs it; --json prints the envelope with its codes. */
function failureInWords(error: ToolError, tool: string, server: CalledServer): string {
  switch (error.kind) {
    case 'invalid-input': {
      const problems = error.problems.map(
        ({ issue, expected, received, hint }) =>
          `- ${issue}${issue.includes('. ') || issue.endsWith(expected) ? '' : `, ${expected}`}; got ${received}. ${hint}`,
      );
      return [`The arguments of ${tool} are invalid.`, ...problems].join('\n');
    }
    case 'permission-denied':
    case 'consent-required':
      return `${error.message}\nWhich rule it was: castellan policy explain ${tool}, with the same arguments.`;
    case 'not-found':
      return unknownTool(tool, server.toolNames(), error.suggestions);
    default:
      return error.message;
  }
}

/** The next steps for an agent, unless the message already contains them. */
function stepsOf({ error, notes }: Failure<ToolError>): readonly string[] {
  switch (error.kind) {
    case 'invalid-input':
    case 'permission-denied':
    case 'consent-required':
    case 'not-found':
      return [];
    default:
      return [notes.message, notes.instruction].flatMap((text) =>
        text === undefined || text === error.message ? [] : [text],
      );
  }
}

function print(
  result: ToolResult,
  server: CalledServer,
  tool: string,
  args: Arguments,
  output: Output,
): ExitCode {
  const { structured } = result;
  if (structured === undefined) {
    output.raw(plainText(result.content.filter((block) => !isServerBlock(block))));
    for (const block of result.content) if (isServerBlock(block)) output.note(block.text);
    return 0;
  }
  if (server.runsCommand(tool) && isJsonObject(structured.value))
    return printCommand(structured.value, notesFor(tool, args, structured), output);
  if (output.forPeople)
    printAnswer(server.showOf(tool)?.(structured.value, args) ?? asText(structured), output);
  else output.out(JSON.stringify(structured, undefined, 2));
  if (output.forPeople) for (const note of notesFor(tool, args, structured)) output.note(note);
  return 0;
}

/** The message for the user, then the instruction for the agent. */
function notesFor(tool: string, args: Arguments, envelope: Envelope): readonly string[] {
  const { message } = envelope;
  return [...(message === undefined ? [] : [message]), ...agentNotes(tool, args, envelope)];
}

/** As if the program had been started from this shell; a non-zero exit code is a failed call. */
function printCommand(value: Arguments, hints: readonly string[], output: Output): ExitCode {
  const [stdout, stderr] = [textOf(value, 'stdout'), textOf(value, 'stderr')];
  if (stdout !== '') output.raw(stdout);
  if (stderr !== '') output.note(withoutLastBreak(stderr));
  const { notes = [] } = showCommand({ ...value, stdout: `${stdout}${stderr}`, stderr: '' });
  for (const note of notes) output.note(note);
  // The agent's hints, such as that the sandbox denied the network, a file or a directory.
  if (output.forPeople) for (const hint of hints) output.note(hint);
  return (numberOf(value, 'exit_code') ?? 0) === 0 ? 0 : 1;
}

function printAnswer({ texts, notes = [] }: ShownAnswer, output: Output): void {
  for (const text of texts) output.raw(text);
  for (const note of notes) output.note(note);
}

function asText({ value }: Envelope): ShownAnswer {
  return { texts: [value === undefined ? 'Done.' : valueText(value)] };
}

function withoutLastBreak(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

function plainText(content: readonly ContentBlock[]): string {
  return content
    .map((block) => (block.type === 'text' ? block.text : JSON.stringify({ ...block, data: undefined })))
    .join('\n');
}
