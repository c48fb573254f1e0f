import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type {
  CommandInput,
  CommandSandbox,
  SandboxJob,
} from '../../../../application/ports/command/command-sandbox.js';
import type { CarrierAnswer, CarrierRequest, CarryReport } from '../carrier/carrier-messages.js';

/** Starting it takes a tenth of a second, so it is kept for a while. */
const IDLE_MS = 30_000;
const MEBIBYTE = 1024 * 1024;
const LIMITS = {
  timeoutMs: 2 ** 31 - 1,
  maxOutputBytes: 64 * 1024,
  memoryBytes: 4096 * MEBIBYTE,
  processes: 64,
  openFiles: 1_024,
  fileBytes: 16 * 1024 * MEBIBYTE,
  tmpBytes: 64 * MEBIBYTE,
};

interface Waiting {
  readonly resolve: (report: CarryReport) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The process in which data is carried, in a sandbox of its own: what it reads was written by commands. It sees the folders
 * that it carries between and the system, and has no network.
 */
export class CarrierProcess {
  readonly #waiting = new Map<number, Waiting>();
  #input: Promise<CommandInput> | undefined;
  #stop = new AbortController();
  #idle: NodeJS.Timeout | undefined;
  #requests = 0;
  #answer = '';

  /** `folders`: what it may write. */
  constructor(
    private readonly sandbox: Pick<CommandSandbox, 'run'>,
    private readonly folders: readonly string[],
    private readonly home: string,
  ) {}

  async ask(request: Omit<CarrierRequest, 'id'>): Promise<CarryReport> {
    clearTimeout(this.#idle);
    this.#requests += 1;
    const id = this.#requests;
    const answer = new Promise<CarryReport>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    // Whoever asks hears of it; until then it must not be nobody's.
    answer.catch(() => undefined);
    this.#input ??= this.#start();
    const input = await this.#input;
    if (!input.write(`${JSON.stringify({ ...request, id })}\n`)) this.#fail('does not read its input');
    return answer.finally(() => this.#rest());
  }

  /** It has nothing to do at this moment. */
  close(): void {
    clearTimeout(this.#idle);
    this.#stop.abort();
    this.#input = undefined;
  }

  #rest(): void {
    if (this.#waiting.size === 0) this.#idle = setTimeout(() => this.close(), IDLE_MS).unref();
  }

  #start(): Promise<CommandInput> {
    this.#stop = new AbortController();
    this.#answer = '';
    return new Promise((resolve, reject) => {
      void this.sandbox.run(this.#job(resolve), this.#stop.signal).then((ended) => {
        const why = ended.success
          ? `ended: ${ended.value.stderr.slice(-500)}`
          : `ended: ${ended.error.message}`;
        this.#input = undefined;
        reject(new Error(why));
        this.#fail(why);
      }, reject);
    });
  }

  #job(onInput: (input: CommandInput) => void): SandboxJob {
    const program = programFile();
    const node = realpathSync(process.execPath);
    mkdirSync(this.home, { recursive: true, mode: 0o700 });
    const shown = program.endsWith('.ts') ? sourceFolders(program) : [dirname(program)];
    return {
      program: {
        kind: 'argv',
        file: node,
        args: ['--max-old-space-size=2048', ...(program.endsWith('.ts') ? ['--import', 'tsx'] : []), program],
      },
      cwd: program.endsWith('.ts') ? (shown[0] ?? '/') : '/',
      env: { PATH: '/usr/bin:/bin' },
      view: { read: [node, ...shown], write: this.folders, hide: [], readOnlyInside: [] },
      home: this.home,
      network: 'none',
      systemCalls: 'filtered',
      limits: LIMITS,
      onInput,
      onOutput: ({ stream, text }) => {
        if (stream === 'stdout') this.#hear(text);
      },
    };
  }

  #hear(piece: string): void {
    this.#answer += piece.slice(1);
    if (!piece.startsWith('.')) return;
    const answer: CarrierAnswer = JSON.parse(this.#answer);
    this.#answer = '';
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ('report' in answer) waiting?.resolve(answer.report);
    else waiting?.reject(new Error(answer.fault));
  }

  #fail(why: string): void {
    for (const { reject } of this.#waiting.values())
      reject(new Error(`The process that carries git's data ${why}`));
    this.#waiting.clear();
  }
}

// The command is built as CommonJS, which has no import.meta; its lazy parts lie a folder below.
const HERE = typeof __dirname === 'string' ? __dirname : import.meta.dirname;

/** From the built command, from a lazy part of it or the library, and from source. */
function programFile(): string {
  const names = ['carrier-program.js', '../carrier-program.js', '../carrier/carrier-program.ts'];
  const found = names.map((name) => join(HERE, name)).find((file) => existsSync(file));
  return realpathSync(found ?? join(HERE, names[0] ?? ''));
}

/** From source: the project and its packages. */
function sourceFolders(program: string): readonly string[] {
  let folder = dirname(program);
  while (folder !== '/' && !existsSync(join(folder, 'node_modules'))) folder = dirname(folder);
  return [...new Set([folder, realpathSync(join(folder, 'node_modules'))])];
}
