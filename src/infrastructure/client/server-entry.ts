import type { ClientFile } from './client-files.js';

/** How a server is started. */
export interface ServerStart {
  readonly command: string;
  readonly args: readonly string[];
}

export type EntryValue = string | boolean | readonly string[] | Readonly<Record<string, string>>;

/** The keys of an entry that are ours; a client's user may have added others. */
export type ServerEntry = Readonly<Record<string, EntryValue>>;

/** What Cursor and VS Code replace by the folder that is open. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: the clients' own placeholder
const OPEN_FOLDER = '${workspaceFolder}';

export function serverEntry(
  { shape, workspace }: Pick<ClientFile, 'shape' | 'workspace'>,
  { command, args }: ServerStart,
  folder: string,
): ServerEntry {
  const named = workspace === 'placeholder' ? OPEN_FOLDER : folder;
  const env = workspace === 'current' ? undefined : { CASTELLAN_WORKSPACE: named };
  if (shape === 'opencode') {
    return { type: 'local', command: [command, ...args], ...(env && { environment: env }), enabled: true };
  }
  if (shape === 'copilot') return { type: 'local', command, args, tools: ['*'] };
  return { ...(shape === 'typed' && { type: 'stdio' }), command, args, ...(env && { env }) };
}
