import { setImmediate as turn } from 'node:timers/promises';
import { TextDecoder } from 'node:util';
import type { ContentMatch } from '../../../application/ports/file/content-search.js';
import type { OpenedFile } from '../../../application/ports/file/safe-file-system.js';
import type { FileError } from '../../../domain/file/file-error.js';
import { Result } from '../../../domain/result.js';
import type { LineMatcher } from './line-matcher.js';

const CHUNK = 256 * 1024;
const MAX_LINE = 1024 * 1024;
const SHOWN = 1000;
const LEAD = 200;
/** A step may take 40 ns: at most a second per line here, and half of one before other work gets a turn. */
const MAX_STEPS_HERE = 30_000_000;
const STEPS_A_TURN = 12_000_000;

interface Pending {
  readonly match: Omit<ContentMatch, 'after'>;
  readonly after: string[];
}

export interface LineSearchOptions {
  readonly context: number;
  readonly limit: number;
  /** Matches up to this line were returned before. */
  readonly afterLine: number;
}

/** Finds the matching lines of one opened file, chunk by chunk; binaries have none. */
export class LineSearch {
  readonly #found: Pending[] = [];
  readonly #before: string[] = [];
  #line = 0;
  /** How much of a line too long for memory has been skipped. */
  #passed = 0;
  #steps = 0;
  #interrupted: string | undefined;

  constructor(
    private readonly path: string,
    private readonly matcher: LineMatcher,
    private readonly options: LineSearchOptions,
  ) {}

  async run(file: OpenedFile, signal: AbortSignal): Promise<Result<readonly ContentMatch[], FileError>> {
    let decoder: TextDecoder | undefined;
    let rest = '';
    for (let offset = 0; !signal.aborted && !this.#isDone(); ) {
      const chunk = await file.read(offset, CHUNK);
      if (!chunk.success) return chunk;
      decoder ??= decoderFor(chunk.value);
      if (decoder === undefined) return Result.ok([]);
      const ended = chunk.value.length === 0;
      const text = rest + decoder.decode(chunk.value, { stream: !ended });
      rest = await this.#takeLines(text, ended, signal);
      if (ended) break;
      offset += chunk.value.length;
    }
    return Result.ok(
      this.#found.slice(0, this.options.limit).map(({ match, after }) => ({ ...match, after })),
    );
  }

  /** Processes complete lines and returns the rest of the last one. */
  async #takeLines(text: string, ended: boolean, signal: AbortSignal): Promise<string> {
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0 && !this.#isDone(); end = text.indexOf('\n', from)) {
      if (signal.aborted) return '';
      const line = text.slice(from, end);
      // Waiting has a cost, and few lines need it.
      if (this.#isCheap(line.length)) this.#take(line, this.#match(line));
      else this.#take(line, await this.#matchSlowly(line, signal));
      this.#passed = 0;
      from = end + 1;
    }
    const rest = text.slice(from);
    if (rest === '' || (!ended && rest.length < MAX_LINE)) return rest;
    this.#take(rest, this.#isCheap(rest.length) ? this.#match(rest) : await this.#matchSlowly(rest, signal));
    if (!ended) this.#passed += rest.length;
    return '';
  }

  #isCheap(length: number): boolean {
    this.#steps += length * this.matcher.size;
    return this.#steps <= STEPS_A_TURN;
  }

  async #matchSlowly(line: string, signal: AbortSignal): Promise<number> {
    this.#steps = 0;
    await turn();
    if (signal.aborted) return -1;
    if (line.length * this.matcher.size <= MAX_STEPS_HERE) return this.#match(line);
    const found = await this.matcher.findApart(withoutReturn(line), signal);
    if (found.success) return found.value;
    this.#interrupted = found.error;
    return -1;
  }

  #match(line: string): number {
    return this.#line >= this.options.afterLine ? this.matcher.find(withoutReturn(line)) : -1;
  }

  #take(raw: string, found: number): void {
    const line = withoutReturn(raw);
    if (this.#passed === 0) this.#line += 1;
    for (let index = this.#found.length - 1; index >= 0; index -= 1) {
      const pending = this.#found[index];
      if (pending === undefined || pending.after.length >= this.options.context) break;
      pending.after.push(cut(line, 0));
    }
    const at = this.#line > this.options.afterLine ? found : -1;
    if (at >= 0 && this.#found.length < this.options.limit) {
      const text = cut(line, at);
      const before = [...this.#before];
      this.#found.push({
        match: { path: this.path, line: this.#line, column: this.#passed + at + 1, text, before },
        after: [],
      });
    }
    if (this.options.context === 0) return;
    this.#before.push(cut(line, 0));
    if (this.#before.length > this.options.context) this.#before.shift();
  }

  /** Why a line could not be searched completely; the matches so far may be incomplete. */
  get interrupted(): string | undefined {
    return this.#interrupted;
  }

  #isDone(): boolean {
    if (this.#interrupted !== undefined) return true;
    const last = this.#found.at(-1);
    return this.#found.length >= this.options.limit && (last?.after.length ?? 0) >= this.options.context;
  }
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

function cut(line: string, at: number): string {
  if (line.length <= SHOWN) return line;
  const start = at < SHOWN - LEAD ? 0 : at - LEAD;
  return `${start > 0 ? '…' : ''}${line.slice(start, start + SHOWN)}…`;
}

/** undefined for content that is not text. */
function decoderFor(head: Uint8Array): TextDecoder | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder('utf-16le');
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder('utf-16be');
  return head.subarray(0, 8192).includes(0) ? undefined : new TextDecoder('utf-8');
}
