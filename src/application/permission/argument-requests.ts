import {
  deletePath,
  type PermissionRequest,
  readOptional,
  readPath,
  writePath,
} from '../../domain/permission/policy/permission-request.js';

type Arguments = Readonly<Record<string, unknown>>;

/**
 * What a call requests, judged by its arguments alone. Also used for a policy's tests and `explain`, whose
 * arguments may be missing or of another type: those request nothing.
 */
export type DescribeRequests = (args: Arguments) => readonly PermissionRequest[];

/** Reads the path in this argument, or `otherwise` if it is omitted. */
export function reads(argument: string, otherwise?: string): DescribeRequests {
  return (args) => {
    const paths = stringsIn(args, argument);
    const all = paths.length === 0 && otherwise !== undefined ? [otherwise] : paths;
    return all.map((path) => readPath(path, argument));
  };
}

/** Reads those of the paths that are allowed, and continues without the others. */
export function readsAllowedOf(argument: string): DescribeRequests {
  return (args) => stringsIn(args, argument).map((path) => readOptional(path, argument));
}

export function writes(argument: string): DescribeRequests {
  return (args) => stringsIn(args, argument).map((path) => writePath(path, argument));
}

export function deletes(argument: string): DescribeRequests {
  return (args) => stringsIn(args, argument).map((path) => deletePath(path, argument));
}

/** The command line in `command`, with `args`, `cwd` and `env`. */
export const runsCommand: DescribeRequests = (args) => {
  const [command] = stringsIn(args, 'command');
  if (command === undefined) return [];
  const [cwd] = stringsIn(args, 'cwd');
  const env = typeof args.env === 'object' && args.env !== null ? args.env : {};
  return [
    {
      kind: 'run-command',
      command,
      ...(Array.isArray(args.args) && { args: stringsIn(args, 'args') }),
      ...(cwd !== undefined && { cwd }),
      env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)])),
    },
  ];
};

export function allOf(...parts: readonly DescribeRequests[]): DescribeRequests {
  return (args) => parts.flatMap((part) => part(args));
}

function stringsIn(args: Arguments, name: string): readonly string[] {
  const value = Object.hasOwn(args, name) ? args[name] : undefined;
  return (Array.isArray(value) ? value : [value]).filter((item): item is string => typeof item === 'string');
}
