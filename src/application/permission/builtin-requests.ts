import {
  deletePath,
  type PermissionRequest,
  readOneOf,
  readPath,
  writePath,
} from '../../domain/permission/policy/permission-request.js';
import { normaliseToolName } from '../../domain/tool/tool-name.js';

type Arguments = Readonly<Record<string, unknown>>;
type Describe = (args: Arguments) => readonly PermissionRequest[];

const reading: Describe = (args) => texts(args, 'path').map((path) => readPath(path));
const writing: Describe = (args) => texts(args, 'path').map((path) => writePath(path));
const readingHere: Describe = (args) => [readPath(texts(args, 'path')[0] ?? '.')];
const source: Describe = (args) => texts(args, 'source').map((path) => readPath(path, 'source'));
const destination: Describe = (args) =>
  texts(args, 'destination').map((path) => writePath(path, 'destination'));

const TABLE: Readonly<Record<string, Describe>> = {
  read_file: reading,
  file_info: reading,
  read_files: (args) => texts(args, 'paths').map((path) => readOneOf(path, 'paths')),
  list_directory: readingHere,
  search_files: readingHere,
  search_content: readingHere,
  write_file: writing,
  edit_file: (args) => [...reading(args), ...writing(args)],
  create_directory: writing,
  delete_path: (args) => texts(args, 'path').map((path) => deletePath(path)),
  copy_path: (args) => [...source(args), ...destination(args)],
  move_path: (args) => [
    ...source(args),
    ...texts(args, 'source').map((path) => writePath(path, 'source')),
    ...destination(args),
  ],
  execute_command: command,
};

const BY_NAME = new Map(Object.entries(TABLE).map(([tool, describe]) => [normaliseToolName(tool), describe]));

/**
 * What a built-in tool would ask for, seen from its arguments alone. A policy's own tests use it: they run
 * before any tool exists and need not give every argument.
 */
export function builtinRequests(tool: string, args: Arguments): readonly PermissionRequest[] {
  return BY_NAME.get(normaliseToolName(tool))?.(args) ?? [];
}

function command(args: Arguments): readonly PermissionRequest[] {
  const [line] = texts(args, 'command');
  if (line === undefined) return [];
  const [cwd] = texts(args, 'cwd');
  const env = typeof args.env === 'object' && args.env !== null ? args.env : {};
  const run: PermissionRequest = {
    kind: 'run-command',
    command: line,
    ...(Array.isArray(args.args) && { args: texts(args, 'args') }),
    ...(cwd !== undefined && { cwd }),
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)])),
  };
  return [run, ...texts(args, 'save_output').map((path) => writePath(path, 'save_output'))];
}

function texts(args: Arguments, name: string): readonly string[] {
  const value = Object.hasOwn(args, name) ? args[name] : undefined;
  return (Array.isArray(value) ? value : [value]).filter((item): item is string => typeof item === 'string');
}
