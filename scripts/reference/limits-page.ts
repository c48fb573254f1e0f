import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { code, pageOf, table } from './markdown.js';

type Unit = 'bytes' | 'ms' | 's' | 'count';

interface Limit {
  /** Below src/, without `.ts`. */
  readonly file: string;
  /** A constant or a member of one, as the file writes it. */
  readonly name: string;
  readonly unit: Unit;
  readonly means: string;
  readonly change?: string;
}

const root = resolve(import.meta.dirname, '../..');

const CALLS: readonly Limit[] = [
  limit('application/call/call-budget', 'timeoutMs', 'ms', 'Time of a call', 'limits.timeout'),
  limit('application/call/call-budget', 'maxOutputBytes', 'bytes', 'One result', 'limits.max_output_bytes'),
  limit(
    'domain/permission/policy/obligations',
    'DEFAULT_MAX_INPUT_BYTES',
    'bytes',
    'Arguments of a call',
    'limits.max_input_bytes',
  ),
  limit(
    'application/call/call-budget',
    'concurrency',
    'count',
    'Calls of one caller to one tool at once',
    'limits.concurrency',
  ),
  limit(
    'application/call/call-budget',
    'limit',
    'count',
    'Calls of one caller to one tool per minute',
    'rate.limit',
  ),
  limit('application/call/call-budget', 'burst', 'count', 'Of these, at once', 'rate.burst'),
  limit(
    'application/call/call-budget',
    'failures',
    'count',
    'Unexpected errors in a row before a tool is paused',
    'circuit_breaker.failures',
  ),
  limit(
    'application/call/call-budget',
    'openForMs',
    'ms',
    'How long it is paused',
    'circuit_breaker.open_for',
  ),
  limit('presentation/mcp/surface/message-bounds', 'MAX_VALUES', 'count', 'Members of a message'),
  limit('presentation/mcp/surface/message-bounds', 'MAX_DEPTH', 'count', 'Levels of nesting in a message'),
  limit('composition/modules/mcp.module', 'MAX_MESSAGE_BYTES', 'bytes', 'A message on stdio'),
];

const COMMANDS: readonly Limit[] = [
  limit(
    'application/command/command-limits',
    'DEFAULT_WAIT_S',
    's',
    'Wait for a result, if the policy has `background`',
    'wait',
  ),
  limit('presentation/tools/system/process-fields', 'MAX_WAIT_S', 's', 'Longest wait'),
  limit('presentation/tools/system/execute-command.tool', 'MAX_TIMEOUT_S', 's', 'Longest argument `timeout`'),
  limit(
    'application/command/session-commands',
    'MOST_OF_A_CALLER',
    'count',
    'Sessions with processes, per caller',
  ),
  limit(
    'application/command/session-commands',
    'MOST_OF_ALL',
    'count',
    'Idle sessions with a sandbox, in all',
  ),
  limit('infrastructure/shell/shell-reader', 'MAX_TEXT_BYTES', 'bytes', 'A command line'),
  limit('infrastructure/shell/shell-reader', 'MAX_ARGV_BYTES', 'bytes', 'Arguments of one program'),
];

const FILES: readonly Limit[] = [
  limit(
    'application/file/read-budget',
    'DEFAULT_READ_BYTES',
    'bytes',
    'One result of `read_file`',
    'files.read_bytes',
  ),
  limit('application/file/edit-file', 'MAX_BYTES', 'bytes', 'A file to edit', 'limits.max_file_bytes'),
  limit('application/file/read-file', 'MAX_IMAGE_BYTES', 'bytes', 'An image'),
  limit('application/file/read-file', 'MAX_AUDIO_BYTES', 'bytes', 'A sound'),
  limit(
    'infrastructure/file/disk-inode-scan',
    'MAX_ENTRIES',
    'count',
    'Entries of a workspace whose hidden names are known',
  ),
  limit(
    'infrastructure/command/workspace/denied-object-store',
    'MAX_PLACES',
    'count',
    'Denied files that are remembered when they move',
  ),
];

const CONFIGURATION: readonly Limit[] = [
  limit('infrastructure/config/yaml-tree', 'MAX_POLICY_BYTES', 'bytes', 'A policy or settings file'),
  limit('domain/flag/flag', 'MAX_FLAG_VALUE_LENGTH', 'bytes', 'A flag value, as JSON'),
  limit('domain/knowledge/document/category', 'MAX_DEPTH', 'count', 'Levels of directories in a category'),
  limit('application/knowledge/get-content', 'MAX_ANSWER_BYTES', 'bytes', 'One result of `get_content`'),
  limit(
    'application/ports/session/workflow-store',
    'MAX_WORKFLOW_RESULTS',
    'count',
    'Results kept per workflow',
  ),
];

const HTTP: readonly Limit[] = [
  limit('presentation/mcp/http/http-options', 'maxBodyBytes', 'bytes', 'A request body (413)'),
  limit('presentation/mcp/http/http-listener', 'MAX_HEADER_BYTES', 'bytes', 'Request headers'),
  limit('presentation/mcp/http/http-listener', 'MAX_CONNECTIONS', 'count', 'Connections'),
  limit(
    'presentation/mcp/http/http-options',
    'maxRequestsPerCaller',
    'count',
    'Running requests per caller (429)',
  ),
  limit('presentation/mcp/http/http-options', 'maxSessions', 'count', 'Sessions per instance'),
  limit(
    'presentation/mcp/http/http-options',
    'maxSessionsPerCaller',
    'count',
    'Sessions per caller; beyond, the longest idle one ends',
  ),
  limit(
    'presentation/mcp/http/backlog',
    'MAX_BEHIND',
    'bytes',
    'Unread output of one stream before it is cut',
  ),
  limit('presentation/mcp/http/backlog', 'MAX_ALL_BEHIND', 'bytes', 'Unread output of all streams'),
  limit(
    'infrastructure/session/in-memory-event-store',
    'MAX_SESSION_CHARACTERS',
    'bytes',
    'Events kept per session, to resume a stream',
  ),
  limit('infrastructure/session/in-memory-event-store', 'MAX_ALL_CHARACTERS', 'bytes', 'Events kept in all'),
  limit(
    'composition/server/principal-workspaces',
    'MAX_WORKSPACES',
    'count',
    'Workspaces of principals open at once',
  ),
];

const COMMAND_DEFAULTS = `Resources of commands, if the policy says nothing: memory 2 GiB, 512 processes, 1,024 open files, 1 GiB per file, 8 GiB of disk per session, and eight seconds of CPU time per second of \`timeout\`.

Time of a command, if the policy has \`background\` (as \`builtin:workspace\`):

| the command | is stopped after |
| --- | --- |
| ends before its result | the policy's \`timeout\`, if there is one and it is not longer than \`wait\` |
| runs in the background, or outlives its result | \`background.ttl\` (4 h by default), whatever \`timeout\` says |
| was given the argument \`timeout\` | that time; the argument can only shorten the two above |

Without \`background\` it is the policy's \`timeout\` (30 s by default).`;

const HTTP_TIMES = `Headers must arrive within 10 s and the whole request within 30 s (408). An idle session ends after 30 minutes, or \`http.session_idle\`. A stream that is cut is resumed with \`Last-Event-ID\`.`;

export function limitsPage(): string {
  const parts = [
    ['Calls', CALLS, ''],
    ['Commands', COMMANDS, COMMAND_DEFAULTS],
    ['Files', FILES, ''],
    ['Documents, flags, configuration', CONFIGURATION, ''],
    ['HTTP', HTTP, HTTP_TIMES],
  ] as const;
  const purpose =
    'Limits that a user can meet, with their values from the code. *Change with* names the key of the policy, of the settings, or the argument.';
  return pageOf(
    'Limits',
    purpose,
    parts.map(([title, limits, more]) =>
      [`## ${title}`, limitTable(limits), ...(more === '' ? [] : [more])].join('\n\n'),
    ),
  );
}

function limitTable(limits: readonly Limit[]): string {
  return table(
    ['limit', 'value', 'change with'],
    limits.map((one) => [one.means, shown(numberOf(one), one.unit), code(one.change ?? '')]),
  );
}

/** The number that the source file gives the constant; an error if it has none. */
function numberOf({ file, name }: Limit): number {
  const text = readFileSync(resolve(root, 'src', `${file}.ts`), 'utf8');
  const found = new RegExp(String.raw`\b${name}(?:\s*=|:)\s*([\d_]+(?:\s*\*{1,2}\s*[\d_]+)*)`).exec(
    text,
  )?.[1];
  if (found === undefined) throw new Error(`${file} gives ${name} no number.`);
  return found.split(/(?<!\*)\*(?!\*)/).reduce((product, part) => product * powerOf(part), 1);
}

function powerOf(text: string): number {
  const [base = 0, exponent = 1] = text.replaceAll('_', '').split('**').map(Number);
  return base ** exponent;
}

function shown(value: number, unit: Unit): string {
  if (unit === 'count') return value.toLocaleString('en-US');
  if (unit === 's') return `${value} s`;
  if (unit === 'ms') return `${value / 1000} s`;
  for (const [size, word] of [
    [1024 ** 2, 'MiB'],
    [1024, 'KiB'],
  ] as const)
    if (value >= size && value % size === 0) return `${value / size} ${word}`;
  return `${value.toLocaleString('en-US')} bytes`;
}

function limit(file: string, name: string, unit: Unit, means: string, change?: string): Limit {
  return { file, name, unit, means, ...(change !== undefined && { change }) };
}
