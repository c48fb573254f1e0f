/** ANSI codes. */
const COLOURS = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const;

export type Colour = keyof typeof COLOURS;

/** Where a command writes: its result to stdout, everything else to stderr. */
export interface Output {
  out(text: string): void;
  /** To stdout unchanged; only on a terminal, a missing line end is added. */
  raw(text: string): void;
  /** An error. */
  err(text: string): void;
  /** A note about the result. */
  note(text: string): void;
  /** For stdout: the text in a colour on a terminal, otherwise the plain text. */
  paint(colour: Colour, text: string): string;
  /** A line on the terminal that the next output replaces; nothing elsewhere. */
  progress(text: string): void;
  /** True if a person reads stdout, rather than a program or a file. */
  readonly forPeople: boolean;
}

/** 0 done; 1 the call failed or problems were found; 2 usage; 3 configuration; 4 something missing; 130 interrupted. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 130;

interface Stream {
  readonly isTTY?: boolean;
  /** The width of a terminal. */
  readonly columns?: number;
  write(text: string): unknown;
}

function coloured(colour: Colour, text: string): string {
  return `\u001b[${COLOURS[colour]}m${text}\u001b[0m`;
}

/** The width of a terminal that does not report one. */
const WIDTH = 80;
/** A line is erased only on a terminal. */
const WIPE = '\r\u001b[K';

/** Uses colours on a terminal, unless `NO_COLOR` or a dumb terminal prevents it. */
export class StreamOutput implements Output {
  readonly forPeople: boolean;
  #wipe = '';

  constructor(
    private readonly stdout: Stream,
    private readonly stderr: Stream,
    private readonly environment: Readonly<Record<string, string | undefined>>,
  ) {
    this.forPeople = stdout.isTTY === true;
  }

  out(text: string): void {
    this.#clear();
    this.stdout.write(`${text}\n`);
  }

  raw(text: string): void {
    this.#clear();
    this.stdout.write(this.forPeople && !text.endsWith('\n') ? `${text}\n` : text);
  }

  err(text: string): void {
    this.#tell('red', text);
  }

  note(text: string): void {
    this.#tell('dim', text);
  }

  paint(colour: Colour, text: string): string {
    return this.#hasColour(this.stdout) ? coloured(colour, text) : text;
  }

  progress(text: string): void {
    if (this.stderr.isTTY !== true) return;
    // A line that wraps would be erased only in part.
    const room = (this.stderr.columns || WIDTH) - 1;
    this.stderr.write(`${WIPE}${text.length > room ? `${text.slice(0, room - 1)}…` : text}`);
    this.#wipe = WIPE;
  }

  #tell(colour: Colour, text: string): void {
    this.#clear();
    this.stderr.write(`${this.#hasColour(this.stderr) ? coloured(colour, text) : text}\n`);
  }

  #clear(): void {
    if (this.#wipe !== '') this.stderr.write(this.#wipe);
    this.#wipe = '';
  }

  #hasColour({ isTTY }: Stream): boolean {
    const { NO_COLOR, TERM } = this.environment;
    return isTTY === true && (NO_COLOR === undefined || NO_COLOR === '') && TERM !== 'dumb';
  }
}

export const processOutput: Output = new StreamOutput(process.stdout, process.stderr, process.env);

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

/** Columns under a heading. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], output: Output): string {
  const [heading = '', ...lines] = columns([head, ...rows]).split('\n');
  return [output.paint('bold', heading), ...lines].join('\n');
}
