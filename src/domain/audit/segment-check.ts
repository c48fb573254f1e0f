import { isJsonObject } from '../json-value.js';
import { type ChainSeal, type SegmentLink, splitSealedLine } from './audit-chain.js';
import type { AuditHead } from './audit-head-state.js';

export type AuditProblemKind =
  | 'changed'
  | 'misplaced'
  | 'cut'
  | 'added'
  | 'head-missing'
  | 'segment-missing'
  | 'link-broken'
  /**
   * The log starts later than it once did: segments were archived by hand, or removed. The rest is intact.
   */
  | 'not-here';

export interface AuditProblem {
  readonly kind: AuditProblemKind;
  readonly segment: string;
  /** 1-based line of the segment, if one line is to blame. */
  readonly line?: number;
  readonly message: string;
}

export interface SegmentReport {
  readonly segment: string;
  /** Complete records that are intact, up to the first problem. */
  readonly sound: number;
  readonly records: number;
  /** True if the last record is incomplete, as after a crash; nothing that was certain is missing. */
  readonly torn: boolean;
  /** Records that could not be written to disk, as the log itself states. */
  readonly lost: number;
  readonly state: AuditHead['state'] | 'unknown';
  readonly problems: readonly AuditProblem[];
}

const MAX_PROBLEMS = 20;

/** Checks one segment line by line. It continues after a break in the chain, to find every break. */
export class SegmentCheck {
  #records = 0;
  #sound = 0;
  #last = '';
  #fragment = false;
  #lost = 0;
  readonly #problems: AuditProblem[] = [];
  readonly #seals = new Map<number, string>();

  constructor(
    private readonly segment: string,
    private readonly seal: ChainSeal,
    private readonly wanted: ReadonlySet<number> = new Set(),
  ) {}

  /** `line` is undefined if its bytes are not valid text. */
  accept(line: string | undefined): void {
    this.#records += 1;
    const parts = line === undefined ? undefined : splitSealedLine(line);
    const intact = parts !== undefined && this.seal(this.#last, parts.body) === parts.seal;
    if (intact && this.#records === 1 && segmentOfHeader(`${parts.body}}`) !== this.segment) {
      this.#report('misplaced', 1, 'The first record belongs to another segment: the file was swapped.');
    } else if (!intact) {
      this.#reportBreak(parts?.body);
    }
    if (intact) this.#lost += lostIn(parts.body);
    if (this.#problems.length === 0) this.#sound += 1;
    this.#last = parts?.seal ?? '';
    if (this.wanted.has(this.#records)) this.#seals.set(this.#records, this.#last);
  }

  /** Accepts the text after the last line break. */
  acceptFragment(): void {
    this.#fragment = true;
  }

  /** The seal of a requested record. */
  sealAt(count: number): string | undefined {
    return this.#seals.get(count);
  }

  finish(head: AuditHead | undefined): SegmentReport {
    if (head === undefined) {
      this.#report('head-missing', undefined, 'The head file is missing or was not written by this log.');
    } else {
      this.#compare(head);
    }
    const torn = this.#fragment && head?.state !== 'closed' && this.#records >= (head?.count ?? 0);
    return {
      segment: this.segment,
      sound: this.#sound,
      records: this.#records,
      torn,
      lost: this.#lost + unwrittenIn(head, this.#records),
      state: head?.state ?? 'unknown',
      problems: this.#problems,
    };
  }

  #compare(head: AuditHead): void {
    if (this.#records < head.count) {
      const missing = head.count - this.#records;
      this.#report('cut', this.#records, `The end was cut: ${missing} of ${head.count} records are missing.`);
    } else if (head.state === 'closed' && (this.#records > head.count || this.#fragment)) {
      this.#report('added', head.count + 1, 'Data was added after the segment was closed.');
    }
    if (head.segment !== this.segment) {
      this.#report('link-broken', undefined, `The head file is that of ${head.segment}.`);
    }
  }

  #reportBreak(body: string | undefined): void {
    const number = body === undefined ? undefined : numberOf(body);
    if (number === undefined || number === this.#records) {
      this.#report(
        'changed',
        this.#records,
        'The record is not what was written, or the one before it is not.',
      );
    } else {
      this.#report('misplaced', this.#records, `Record ${number} stands where ${this.#records} should.`);
    }
  }

  #report(kind: AuditProblemKind, line: number | undefined, message: string): void {
    if (this.#problems.length >= MAX_PROBLEMS) return;
    this.#problems.push({ kind, segment: this.segment, message, ...(line !== undefined && { line }) });
  }
}

const GAP = /^\{"n":\d{1,15},"kind":"gap","time":"[^"]{1,40}","lost":(\d{1,15})$/;

/** The number of records that a gap record stands for. */
function lostIn(body: string): number {
  return Number(GAP.exec(body)?.[1] ?? 0);
}

/** The records that were waiting for the disk when it last reported, and that are missing. */
function unwrittenIn(head: AuditHead | undefined, records: number): number {
  return head?.unwritten === undefined ? 0 : Math.max(0, head.count + head.unwritten - records);
}

function numberOf(body: string): number | undefined {
  const digits = /^\{"n":(\d{1,15}),/.exec(body)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function segmentOfHeader(line: string): unknown {
  return parseObject(line)?.segment;
}

/** The link in a segment's first line; undefined if it is the first segment of all, or is damaged. */
export function linkOfHeader(line: string): SegmentLink | undefined {
  const link = parseObject(line)?.previous;
  if (!isJsonObject(link)) return undefined;
  const { segment, count, seal } = link;
  return typeof segment === 'string' && typeof count === 'number' && typeof seal === 'string'
    ? { segment, count, seal }
    : undefined;
}

function parseObject(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) ? value : undefined;
  } catch {
    // Not JSON: the record was changed or torn, and the check reports it.
    return undefined;
  }
}
