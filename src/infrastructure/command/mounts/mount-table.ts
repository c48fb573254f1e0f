/** One mount of a namespace, as /proc/PID/mountinfo tells it. */
export interface MountEntry {
  readonly id: number;
  readonly parent: number;
  /** major:minor of the file system. */
  readonly device: string;
  /** The mounted folder or file, as a path in that file system. */
  readonly root: string;
  /** Where it lies, seen from the root of the process. */
  readonly path: string;
  readonly options: readonly string[];
  readonly type: string;
}

export type MountTable = ReadonlyMap<number, MountEntry>;

export function parseMountTable(text: string): MountTable {
  const table = new Map<number, MountEntry>();
  for (const line of text.split('\n')) {
    const fields = line.split(' ');
    const [id, parent, device, root, path, options] = fields;
    const type = fields[fields.indexOf('-', 6) + 1];
    if (root === undefined || path === undefined || options === undefined || type === undefined) continue;
    table.set(Number(id), {
      id: Number(id),
      parent: Number(parent),
      device: device ?? '',
      root: unescaped(root),
      path: unescaped(path),
      options: options.split(','),
      type,
    });
  }
  return table;
}

// The kernel writes space, tab, newline and backslash as three octal digits, byte by byte.
function unescaped(field: string): string {
  if (!field.includes('\\')) return field;
  return field.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}
