/** Where a command writes: the answer to stdout, everything about it to stderr. */
export interface Output {
  out(text: string): void;
  err(text: string): void;
}

/** 0 done; 1 the call failed or problems were found; 2 usage; 3 configuration; 4 something missing; 130 interrupted. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 130;

export const processOutput: Output = {
  out: (text) => void process.stdout.write(`${text}\n`),
  err: (text) => void process.stderr.write(`${text}\n`),
};

/** Rows in columns, each as wide as its widest cell. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, index) => Math.max(cell.length, widest[index] ?? 0)),
    [],
  );
  return rows
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
