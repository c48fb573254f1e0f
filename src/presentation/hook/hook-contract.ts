import type { HookClient } from '../../domain/client/mcp-client.js';
import { isJsonObject } from '../../domain/json-value.js';

export type Fields = Readonly<Record<string, unknown>>;

/** A call of a client's own tool, in the client's words. */
export interface OwnCall {
  readonly session: string;
  /** What relative paths mean. */
  readonly cwd?: string;
  readonly tool: string;
  readonly input: Fields;
}

/** What a hook prints, and how it ends. 2 refuses the call in every contract, if there is text on the error output. */
export interface HookAnswer {
  readonly code: 0 | 2;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a client asks and what it understands. */
export interface HookContract {
  /** Undefined: this is no question about a tool. */
  read(input: Fields): OwnCall | undefined;
  /**
   * Nothing against the call: the client's own rules and questions still apply. `remark` is for the model, where the
   * client passes it on.
   */
  allow(remark?: string): object;
  /** Whether the client asks its person about such a call; where it does not, the call is refused. */
  asks(call: OwnCall): boolean;
  ask(message: string): object;
  deny(message: string): object;
}

function claudeCall(input: Fields): OwnCall | undefined {
  const { tool_name: tool, tool_input: given, session_id: session, cwd } = input;
  if (typeof tool !== 'string') return undefined;
  return { session: text(session), tool, input: fields(given), ...(typeof cwd === 'string' && { cwd }) };
}

function preToolUse(decision: 'ask' | 'deny', reason: string): object {
  const told = { permissionDecision: decision, permissionDecisionReason: reason };
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...told } };
}

const CLAUDE: HookContract = {
  read: claudeCall,
  allow: (remark) =>
    remark === undefined
      ? {}
      : { hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: remark } },
  asks: () => true,
  ask: (message) => preToolUse('ask', message),
  deny: (message) => preToolUse('deny', message),
};

/** It takes `ask` and `allow` for mistakes of the hook, and then makes the call. */
const CODEX: HookContract = {
  read: claudeCall,
  allow: () => ({}),
  asks: () => false,
  ask: (message) => preToolUse('deny', message),
  deny: (message) => preToolUse('deny', message),
};

const GEMINI: HookContract = {
  read: claudeCall,
  allow: () => ({}),
  asks: () => true,
  ask: (reason) => ({ decision: 'ask', reason }),
  deny: (reason) => ({ decision: 'deny', reason }),
};

const CURSOR: HookContract = {
  read: (input) => {
    const { hook_event_name: event, conversation_id: session, workspace_roots: roots } = input;
    const [root] = Array.isArray(roots) ? roots : [];
    const folder = [input.cwd, root].find((one) => typeof one === 'string' && one !== '');
    const base = { session: text(session), ...(typeof folder === 'string' && { cwd: folder }) };
    if (event === 'beforeShellExecution')
      return { ...base, tool: 'Shell', input: { command: input.command } };
    if (event === 'beforeReadFile') return { ...base, tool: 'Read', input: { file_path: input.file_path } };
    const { tool_name: tool } = input;
    return typeof tool === 'string' ? { ...base, tool, input: fields(input.tool_input) } : undefined;
  },
  allow: () => ({}),
  // Only this event makes Cursor ask; elsewhere it takes the word and makes the call.
  asks: ({ tool }) => tool === 'Shell',
  ask: (message) => cursorAnswer('ask', message),
  deny: (message) => cursorAnswer('deny', message),
};

function cursorAnswer(permission: 'ask' | 'deny', message: string): object {
  return { permission, user_message: message, agent_message: message };
}

const COPILOT: HookContract = {
  read: (input) => {
    const { toolName: tool, sessionId: session, cwd, toolArgs } = input;
    if (typeof tool !== 'string') return claudeCall(input);
    const call = { session: text(session), tool, input: fields(parsed(toolArgs)) };
    return { ...call, ...(typeof cwd === 'string' && { cwd }) };
  },
  allow: () => ({}),
  asks: () => true,
  ask: (message) => ({ permissionDecision: 'ask', permissionDecisionReason: message }),
  deny: (message) => ({ permissionDecision: 'deny', permissionDecisionReason: message }),
};

/** The plugin that `castellan install opencode --hooks` writes. */
const OPENCODE: HookContract = {
  read: ({ tool, args, session, cwd }) =>
    typeof tool === 'string'
      ? { session: text(session), tool, input: fields(args), ...(typeof cwd === 'string' && { cwd }) }
      : undefined,
  allow: () => ({ decision: 'allow' }),
  asks: () => false,
  ask: (reason) => ({ decision: 'deny', reason }),
  deny: (reason) => ({ decision: 'deny', reason }),
};

export const CONTRACTS: Readonly<Record<HookClient, HookContract>> = {
  claude: CLAUDE,
  codex: CODEX,
  gemini: GEMINI,
  opencode: OPENCODE,
  cursor: CURSOR,
  copilot: COPILOT,
};

/** Older versions of Copilot send the arguments as a text. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    // A text that is no JSON has no fields, and what has no fields is refused.
    return undefined;
  }
}

function fields(value: unknown): Fields {
  return isJsonObject(value) ? value : {};
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
