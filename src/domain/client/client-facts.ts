import type { McpClient } from './mcp-client.js';

/** Facts about a client: its own tools, how they are switched off, and how reliable its hooks are. */
export interface ClientFacts {
  /** The name that people use for it. */
  readonly product: string;
  /** Its own tools for files and commands, to which our policy does not apply; undefined if it has none. */
  readonly ownTools?: string;
  /** What `--exclusive` writes; undefined if no settings file of the client can switch them off. */
  readonly exclusive?: string;
  /** Tools that remain with `--exclusive`. */
  readonly left?: string;
  /** Whether it can ask its user a question for our policy. */
  readonly elicitation: 'yes' | 'no' | 'not tried';
  readonly hooks?: HookFacts;
  /** What the user must confirm in the client before any of this takes effect. */
  readonly confirm?: string;
  /**
   * The npm version it was tested with, and the date; undefined if the facts come from its documentation
   * only.
   */
  readonly tried?: string;
  /** What was compared with material its maker publishes, if the client itself cannot be tested. */
  readonly checked?: string;
}

export interface HookFacts {
  /** What happens to a call that needs consent by the policy. */
  readonly asks: string;
  /** What happens if the hook is killed or does not answer in time. */
  readonly failing: string;
  /** Calls for which the hook is not run. */
  readonly missed: string;
}

const ONCE_MORE = 'refused: the client cannot ask there';

export const CLIENT_FACTS: Readonly<Record<McpClient, ClientFacts>> = {
  claude: {
    product: 'Claude Code',
    ownTools: 'Bash, Read, Edit, Write, NotebookEdit, Monitor',
    exclusive: '`permissions.deny` with the names of the tools, in `.claude/settings.json`',
    elicitation: 'yes',
    hooks: {
      asks: "the client's own question; with `-p` it is refused",
      failing: 'closed (`onFailure: block`, 2.1.295 or newer; older versions: open)',
      missed: 'files that a person names with @',
    },
    confirm:
      'Claude Code asks whether you trust the folder and the server in .mcp.json; until you agree it is "Pending approval" (/mcp shows it).',
    tried: '2.1.326, 2026-11-18',
  },
  'claude-desktop': { product: 'Claude Desktop', elicitation: 'not tried' },
  cursor: {
    product: 'Cursor',
    ownTools: 'Shell, Read, Write, Delete, Grep',
    elicitation: 'not tried',
    hooks: {
      asks: `Shell: the client's own question; others: ${ONCE_MORE}`,
      failing: 'closed (`failClosed`)',
      missed: 'cloud agents',
    },
    confirm: 'Cursor runs the hooks of a project only in a trusted workspace.',
    checked: 'hooks by the checks in `@cursor/sdk` 1.0.32, 2026-11-18',
  },
  vscode: {
    product: 'VS Code',
    ownTools: 'run_in_terminal, read_file, edits',
    elicitation: 'not tried',
    confirm: 'VS Code asks whether you trust the server when it starts it for the first time.',
  },
  codex: {
    product: 'Codex',
    ownTools: 'exec_command, write_stdin, apply_patch, view_image',
    exclusive: '`features.shell_tool`, `features.view_image` and `sandbox_mode` in `config.toml`',
    left: 'apply_patch, which no setting takes away: in the read-only sandbox each patch is asked about or refused. Add --hooks.',
    elicitation: 'yes',
    hooks: {
      asks: ONCE_MORE,
      failing: 'open',
      missed: 'write_stdin, code mode; everything until the hook is trusted',
    },
    confirm: 'Codex runs a hook only after you trusted it there: open /hooks in Codex and accept it.',
    tried: '0.169.0, 2026-11-18',
  },
  gemini: {
    product: 'Gemini CLI',
    ownTools: 'run_shell_command, read_file, write_file, replace, list_directory, glob, grep_search',
    exclusive: '`tools.core` with what is left, in `.gemini/settings.json`',
    elicitation: 'no',
    hooks: {
      asks: "the client's own question; without a terminal it is refused",
      failing: 'open',
      missed: 'files that a person names with @',
    },
    confirm: 'Gemini CLI reads the settings of a project only in a trusted folder: agree when it asks.',
    tried: '0.61.0, 2026-11-18',
  },
  opencode: {
    product: 'opencode',
    ownTools: 'bash, read, edit, write, glob, grep, list',
    exclusive: '`permission` with `deny`, in `opencode.json`',
    elicitation: 'no',
    hooks: {
      asks: ONCE_MORE,
      failing: 'closed (a plugin that throws)',
      missed: 'commands that a person types after !',
    },
    tried: '1.18.33, 2026-11-18',
  },
  copilot: {
    product: 'GitHub Copilot CLI',
    ownTools: 'bash, view, edit, create, grep, glob',
    elicitation: 'not tried',
    hooks: {
      asks: "the client's own question; in the cloud it is refused",
      failing: 'closed when it is killed; open after its time is over',
      missed: 'nothing that we know of',
    },
    tried: '1.0.102, 2026-11-18',
  },
  zed: {
    product: 'Zed',
    ownTools: 'terminal, read_file, edit_file, grep',
    elicitation: 'not tried',
    confirm: 'Zed reads the settings of a project only in a trusted worktree.',
  },
  windsurf: { product: 'Windsurf', ownTools: 'run_command, view_file, edits', elicitation: 'not tried' },
};
