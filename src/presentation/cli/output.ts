/** As terminals number them. */
const COLOURS = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const;

export type Colour = keyof typeof COLOURS;

/** Where a command writes: the answer to stdout, everything about it to stderr. */
export interface Output {
  out(text: string): void;
  /** To stdout as it is, byte for byte; only a terminal gets the end of a last line that has none. */
  raw(text: string): void;
  /** What went wrong. */
  err(text: string): void;
  /** What else there is to say about the answer. */
  note(text: string): void;
  /** For stdout: the text in a colour where a terminal shows it, else the text. */
  paint(colour: Colour, text: string): string;
  /** A line on the terminal that the next output replaces; nothing where no one watches. */
  progress(text: string): void;
  /** Whether a person reads stdout, rather than a program or a file. */
  readonly forPeople: boolean;
}

/** 0 done; 1 the call failed or problems were found; 2 usage; 3 configuration; 4 something missing; 130 interrupted. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 130;

interface Stream {
  readonly isTTY?: boolean;
  /** How wide a terminal is. */
  readonly columns?: number;
  write(text: string): unknown;
}

function coloured(colour: Colour, text: string): string {
  return `\u001b[${COLOURS[colour]}m${text}\u001b[0m`;
}

/** Of a terminal that does not say. */
const WIDTH = 80;
/** A line is only wiped on a terminal. */
const WIPE = '\r\u001b[K';

/** Colours on a terminal, unless `NO_COLOR` or a dumb terminal says otherwise. */
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
    // A line that wraps is only wiped in part.
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
