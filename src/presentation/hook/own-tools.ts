import type { HookClient } from '../../domain/client/mcp-client.js';
import type { Fields, OwnCall } from './hook-contract.js';
import { patchedFiles } from './patched-files.js';

/** What a client's own call is judged as. */
export interface JudgedAs {
  readonly tool: string;
  readonly arguments: Fields;
  /** It opens every file below its path, those that the policy hides too. */
  readonly everythingBelow?: true;
}

/** A problem: the call cannot be judged, so it is refused. */
export type OwnCallReading = { readonly calls: readonly JudgedAs[] } | { readonly problem: string };

type Reader = (input: Fields, cwd: string | undefined) => OwnCallReading;

const WHERE = ['cwd', 'workdir', 'working_directory', 'dir_path', 'directory'];
const FILE = ['file_path', 'filePath', 'path', 'absolute_path', 'target_file', 'notebook_path'];
const FOLDER = ['path', 'dir_path', 'dirPath', 'target_directory', 'directory'];
const TEXT = ['content', 'contents', 'file_text', 'new_source', 'text'];
const OLD = ['old_string', 'oldString', 'old_str', 'old_text'];
const NEW = ['new_string', 'newString', 'new_str', 'new_text'];

const shell: Reader = (input, cwd) => {
  const command = stringIn(input, ['command']);
  if (command === undefined) return missing('command');
  const folder = pathIn(input, WHERE, cwd) ?? pathOf(cwd, cwd);
  if (folder !== undefined && 'problem' in folder) return folder;
  const background = input.run_in_background === true || input.is_background === true;
  const where = folder === undefined ? {} : { cwd: folder.path };
  return judged('execute_command', { command, ...where, ...(background && { background }) });
};

const reads = (tool: string): Reader => onPath(FILE, (path) => judged(tool, { path }));

const writes: Reader = (input, cwd) =>
  onPath(FILE, (path) => judged('write_file', { path, content: stringIn(input, TEXT) ?? '' }))(input, cwd);

const edits: Reader = (input, cwd) =>
  onPath(FILE, (path) => {
    const old_text = stringIn(input, OLD);
    const new_text = stringIn(input, NEW) ?? '';
    // Without an old text the file is made.
    return old_text === undefined || old_text === ''
      ? judged('write_file', { path, content: new_text })
      : judged('edit_file', { path, edits: [{ old_text, new_text }] });
  })(input, cwd);

const deletes: Reader = onPath(FILE, (path) =>
  judged('delete_path', { path, explicit_action: 'DELETE_PATH' }),
);

/** Names alone are shown. */
const lists = (tool: string): Reader =>
  onFolder((path, input) => {
    const pattern = stringIn(input, ['pattern', 'glob_pattern']);
    return judged(tool, { path, ...(tool === 'search_files' && pattern !== undefined && { pattern }) });
  });

const searches: Reader = onFolder((path, input) => ({
  calls: [
    {
      tool: 'search_content',
      arguments: { path, query: stringIn(input, ['pattern', 'query', 'regex']) ?? '.' },
      everythingBelow: true,
    },
  ],
}));

const patches: Reader = (input, cwd) => {
  const patch = stringIn(input, ['command', 'input', 'patch', 'patchText', 'patch_text']);
  if (patch === undefined) return missing('patch');
  const files = patchedFiles(patch);
  if (files.length === 0) return { problem: 'The patch names no file.' };
  const readings = files.map(({ path, deleted }) => (deleted ? deletes : writes)({ path }, cwd));
  const problem = readings.find((reading) => 'problem' in reading);
  return problem ?? { calls: readings.flatMap((reading) => ('calls' in reading ? reading.calls : [])) };
};

/** By the names that a client gives its tools; others are none of ours to judge. */
const READERS: Readonly<Record<HookClient, Readonly<Record<string, Reader>>>> = {
  claude: {
    Bash: shell,
    PowerShell: shell,
    Monitor: shell,
    Read: reads('read_file'),
    Write: writes,
    Edit: edits,
    MultiEdit: writes,
    NotebookEdit: writes,
    Glob: lists('search_files'),
    LS: lists('list_directory'),
    Grep: searches,
  },
  codex: { Bash: shell, apply_patch: patches, view_image: reads('read_file') },
  gemini: {
    run_shell_command: shell,
    read_file: reads('read_file'),
    write_file: writes,
    replace: edits,
    list_directory: lists('list_directory'),
    glob: lists('search_files'),
    grep_search: searches,
    search_file_content: searches,
    read_many_files: () => ({ problem: 'It opens every file that its patterns match, hidden ones too.' }),
  },
  opencode: {
    bash: shell,
    read: reads('read_file'),
    write: writes,
    edit: edits,
    multiedit: writes,
    patch: patches,
    apply_patch: patches,
    list: lists('list_directory'),
    glob: lists('search_files'),
    grep: searches,
  },
  cursor: { Shell: shell, Read: reads('read_file'), Write: writes, Delete: deletes, Grep: searches },
  copilot: {
    bash: shell,
    powershell: shell,
    view: reads('read_file'),
    create: writes,
    edit: edits,
    apply_patch: patches,
    glob: lists('search_files'),
    grep: searches,
    Bash: shell,
    Read: reads('read_file'),
    Write: writes,
    Edit: edits,
    Glob: lists('search_files'),
    Grep: searches,
  },
};

/** The tools of a client that are judged, for its matcher. */
export function judgedTools(client: HookClient): readonly string[] {
  return Object.keys(READERS[client]);
}

/** Undefined: the tool has nothing to do with files or a shell. */
export function readOwnCall(client: HookClient, { tool, input, cwd }: OwnCall): OwnCallReading | undefined {
  const readers = READERS[client];
  return Object.hasOwn(readers, tool) ? readers[tool]?.(input, cwd) : undefined;
}

function judged(tool: string, args: Fields): OwnCallReading {
  return { calls: [{ tool, arguments: args }] };
}

function onPath(keys: readonly string[], make: (path: string) => OwnCallReading): Reader {
  return (input, cwd) => {
    const path = pathIn(input, keys, cwd);
    if (path === undefined) return missing(keys[0] ?? 'path');
    return 'problem' in path ? path : make(path.path);
  };
}

/** Without a path it is about the folder that the client is in. */
function onFolder(make: (path: string, input: Fields) => OwnCallReading): Reader {
  return (input, cwd) => {
    const path = pathIn(input, FOLDER, cwd) ?? pathOf('.', cwd) ?? { path: '.' };
    return 'problem' in path ? path : make(path.path, input);
  };
}

/** Two paths under names of which the client knows one: nobody can tell which it will use. */
function pathIn(input: Fields, keys: readonly string[], cwd: string | undefined): ReadPath | undefined {
  const given = new Set(keys.flatMap((key) => stringIn(input, [key]) ?? []));
  if (given.size > 1) return { problem: 'It names more than one path.' };
  return pathOf([...given][0], cwd);
}

type ReadPath = { readonly path: string } | { readonly problem: string };

/**
 * A client may replace `~`, take blanks away or read an address where we take the text as it is: what two programs
 * could read in two ways is refused.
 */
function pathOf(given: string | undefined, cwd: string | undefined): ReadPath | undefined {
  if (given === undefined || given === '') return undefined;
  if (given.trim() !== given || /^(?:~|file:|@)/i.test(given))
    return { problem: `Give the path ${JSON.stringify(given.slice(0, 100))} in full, from / on.` };
  return { path: given.startsWith('/') || cwd === undefined || cwd === '' ? given : `${cwd}/${given}` };
}

function stringIn(input: Fields, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = Object.hasOwn(input, key) ? input[key] : undefined;
    if (typeof value === 'string') return value;
  }
  return undefined;
}

function missing(argument: string): OwnCallReading {
  return { problem: `It has no ${argument}.` };
}
