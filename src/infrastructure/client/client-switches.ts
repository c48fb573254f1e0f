import { posix, win32 } from 'node:path';
import type { HookClient, McpClient } from '../../domain/client/mcp-client.js';
import { type ClientMachine, type ClientScope, userFolder } from './client-files.js';
import { opencodePlugin } from './opencode-plugin.js';
import type { ServerStart } from './server-entry.js';
import type { SettingsEdit } from './settings-edit.js';

/** What has to change in one file of a client. */
export type SwitchedFile = { readonly root: string; readonly path: string } & (
  | { readonly format: 'json' | 'toml'; readonly edits: readonly SettingsEdit[] }
  /** A file of our own. */
  | { readonly format: 'whole'; readonly text: string }
);

/** Seconds that a client gives a hook; the hook itself takes at most five. */
const HOOK_SECONDS = 10;

/** Names that no version has are warned of, so these are those of the version in the table of clients. */
const CLAUDE_TOOLS = [
  'Bash',
  'BashOutput',
  'Edit',
  'EnterWorktree',
  'ExitWorktree',
  'Glob',
  'Grep',
  'KillShell',
  'LSP',
  'Monitor',
  'NotebookEdit',
  'PowerShell',
  'Read',
  'Write',
];

/** Gemini CLI has a list of what it may use: tools that a later version brings are not on it. */
const GEMINI_KEPT = [
  'activate_skill',
  'ask_user',
  'enter_plan_mode',
  'exit_plan_mode',
  'google_web_search',
  'list_mcp_resources',
  'read_mcp_resource',
  'update_topic',
  'web_fetch',
  'write_todos',
  'mcp_*',
];

const OPENCODE_TOOLS = ['bash', 'edit', 'glob', 'grep', 'list', 'lsp', 'read'];

interface Place {
  readonly scope: ClientScope;
  readonly machine: ClientMachine;
}

function fileIn({ scope, machine }: Place, project: string, user: string, kind: 'home' | 'config' = 'home') {
  const { join } = machine.platform === 'win32' ? win32 : posix;
  const root = scope === 'project' ? machine.workspace : userFolder(kind, machine);
  return { root, path: join(root, scope === 'project' ? project : user) };
}

/** What switches the client's own file and shell tools off; undefined where no file of the client does. */
export function exclusiveFiles(client: McpClient, place: Place): readonly SwitchedFile[] | undefined {
  switch (client) {
    case 'claude':
      return [
        {
          ...fileIn(place, '.claude/settings.json', '.claude/settings.json'),
          format: 'json',
          edits: [{ at: ['permissions', 'deny'], add: CLAUDE_TOOLS }],
        },
      ];
    case 'codex':
      return [
        {
          ...fileIn(place, '.codex/config.toml', '.codex/config.toml'),
          format: 'toml',
          edits: [
            { at: ['sandbox_mode'], value: 'read-only' },
            { at: ['features', 'shell_tool'], value: false },
            { at: ['features', 'view_image'], value: false },
          ],
        },
      ];
    case 'gemini':
      return [
        {
          ...fileIn(place, '.gemini/settings.json', '.gemini/settings.json'),
          format: 'json',
          edits: [{ at: ['tools', 'core'], value: GEMINI_KEPT }],
        },
      ];
    case 'opencode':
      return [
        {
          ...fileIn(place, 'opencode.json', 'opencode/opencode.json', 'config'),
          format: 'json',
          edits: OPENCODE_TOOLS.map((tool) => ({ at: ['permission', tool], value: 'deny' })),
        },
      ];
    case 'claude-desktop':
      return [];
    case 'cursor':
    case 'vscode':
    case 'copilot':
    case 'zed':
    case 'windsurf':
      return undefined;
  }
}

/** What makes the client ask `castellan hook CLIENT` before it uses one of these tools. */
export function hookFiles(
  client: HookClient,
  place: Place,
  start: ServerStart,
  tools: readonly string[],
): readonly SwitchedFile[] {
  const words = [start.command, ...start.args, 'hook', client];
  const command = words.map(shellWord).join(' ');
  const matcher = tools.join('|');
  switch (client) {
    case 'claude': {
      const [program, ...args] = words;
      const run = { type: 'command', command: program, args, timeout: HOOK_SECONDS, onFailure: 'block' };
      return [
        {
          ...fileIn(place, '.claude/settings.json', '.claude/settings.json'),
          format: 'json',
          edits: [{ at: ['hooks', 'PreToolUse'], add: [{ matcher, hooks: [run] }] }],
        },
      ];
    }
    case 'codex': {
      const run = { type: 'command', command, timeout: HOOK_SECONDS };
      return [
        {
          ...fileIn(place, '.codex/hooks.json', '.codex/hooks.json'),
          format: 'json',
          edits: [{ at: ['hooks', 'PreToolUse'], add: [{ matcher: `^(${matcher})$`, hooks: [run] }] }],
        },
      ];
    }
    case 'gemini': {
      const run = { type: 'command', name: 'castellan', command, timeout: HOOK_SECONDS * 1000 };
      return [
        {
          ...fileIn(place, '.gemini/settings.json', '.gemini/settings.json'),
          format: 'json',
          edits: [{ at: ['hooks', 'BeforeTool'], add: [{ matcher: `^(${matcher})$`, hooks: [run] }] }],
        },
      ];
    }
    case 'cursor':
      return [cursorFile(fileIn(place, '.cursor/hooks.json', '.cursor/hooks.json'), command)];
    case 'copilot': {
      const run = { type: 'command', bash: command, timeoutSec: HOOK_SECONDS };
      const text = `${JSON.stringify({ version: 1, hooks: { preToolUse: [run] } }, undefined, 2)}\n`;
      const file = fileIn(place, '.github/hooks/castellan.json', '.copilot/hooks/castellan.json');
      return [{ ...file, format: 'whole', text }];
    }
    case 'opencode': {
      const file = fileIn(place, '.opencode/plugin/castellan.js', 'opencode/plugin/castellan.js', 'config');
      return [{ ...file, format: 'whole', text: opencodePlugin(words, tools) }];
    }
  }
}

/** Each event where Cursor enforces what it is answered. */
function cursorFile(file: { readonly root: string; readonly path: string }, command: string): SwitchedFile {
  const run = { command, timeout: HOOK_SECONDS, failClosed: true };
  return {
    ...file,
    format: 'json',
    edits: [
      { at: ['version'], value: 1 },
      { at: ['hooks', 'beforeShellExecution'], add: [run] },
      { at: ['hooks', 'beforeReadFile'], add: [run] },
      { at: ['hooks', 'preToolUse'], add: [{ ...run, matcher: 'Write|Delete|Grep' }] },
    ],
  };
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
