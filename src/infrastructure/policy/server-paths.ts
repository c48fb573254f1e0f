/** The server's own files, wherever they are. */
export interface ServerFiles {
  readonly workspace: string;
  /** Files in force that were named by a flag or a variable: policy, settings, ceiling. */
  readonly named: readonly string[];
  /** Folders of state and configuration: audit log, trust store, keys, flags. */
  readonly folders: readonly string[];
}

/** Where a policy or a settings file is looked for; an agent must not be the one who puts it there. */
const FOUND_NAMES = [
  'permissions.yaml',
  'config/permissions.yaml',
  'castellan.yaml',
  'config/castellan.yaml',
];

/** Files a policy cannot open to anybody, present or not. */
export function serverPaths({ workspace, named, folders }: ServerFiles): {
  readonly never: readonly string[];
  readonly neverWritten: readonly string[];
} {
  const found = FOUND_NAMES.map((name) => `${workspace}/${name}`);
  return { never: [...new Set([...named, ...found, ...folders])], neverWritten: [`${workspace}/.castellan`] };
}
