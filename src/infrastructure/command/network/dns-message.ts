/** What one question asks, and its own bytes, which every answer repeats. */
export interface NameQuestion {
  readonly id: number;
  readonly wantsRecursion: boolean;
  readonly name: string;
  readonly type: number;
  readonly section: Buffer;
}

export type ReadQuestion =
  | { readonly kind: 'question'; readonly question: NameQuestion }
  /** Can be answered with this code and nothing else. */
  | { readonly kind: 'odd'; readonly id: number; readonly code: number }
  /** No question at all: whoever sent it gets no answer. */
  | { readonly kind: 'none' };

export const TYPE_A = 1;
export const NO_ERROR = 0;
export const SERVER_FAILURE = 2;
export const NO_SUCH_NAME = 3;
const FORMAT_ERROR = 1;
const NOT_IMPLEMENTED = 4;
const CLASS_INTERNET = 1;
const HEADER = 12;
const LONGEST_LABEL = 63;
const LONGEST_NAME = 255;
const TTL_SECONDS = 60;

/** Reads a query of the domain name system. Never throws, whatever the bytes are. */
export function readQuestion(message: Buffer): ReadQuestion {
  if (message.length < HEADER) return { kind: 'none' };
  const [id, flags, questions] = [message.readUInt16BE(0), message.readUInt16BE(2), message.readUInt16BE(4)];
  const isResponse = (flags & 0x8000) !== 0;
  if (isResponse) return { kind: 'none' };
  if ((flags & 0x7800) !== 0) return { kind: 'odd', id, code: NOT_IMPLEMENTED };
  const read = questions === 1 ? readName(message, HEADER) : undefined;
  if (read === undefined || read.end + 4 > message.length) return { kind: 'odd', id, code: FORMAT_ERROR };
  const { name, end } = read;
  if (message.readUInt16BE(end + 2) !== CLASS_INTERNET) return { kind: 'odd', id, code: NOT_IMPLEMENTED };
  const question = {
    id,
    wantsRecursion: (flags & 0x0100) !== 0,
    name,
    type: message.readUInt16BE(end),
    section: message.subarray(HEADER, end + 4),
  };
  return { kind: 'question', question };
}

/** A question has no name before it that it could point to, so a pointer is no name here. */
function readName(
  message: Buffer,
  start: number,
): { readonly name: string; readonly end: number } | undefined {
  const labels: string[] = [];
  let at = start;
  for (;;) {
    const length = message[at];
    if (length === undefined || length > LONGEST_LABEL || at - start > LONGEST_NAME) return undefined;
    if (length === 0) return { name: labels.join('.'), end: at + 1 };
    const label = message.subarray(at + 1, at + 1 + length);
    if (label.length < length) return undefined;
    // A dot within a label would be taken for two labels.
    labels.push(label.toString('latin1').replaceAll('.', '\0'));
    at += 1 + length;
  }
}

/** `address`: a record of type A. */
export function answerTo(question: NameQuestion, code: number, address?: string): Buffer {
  const header = headerOf(question.id, code, question.wantsRecursion);
  header.writeUInt16BE(1, 4);
  if (address === undefined) return Buffer.concat([header, question.section]);
  header.writeUInt16BE(1, 6);
  const record = Buffer.alloc(16);
  record.writeUInt16BE(0xc000 | HEADER, 0);
  record.writeUInt16BE(TYPE_A, 2);
  record.writeUInt16BE(CLASS_INTERNET, 4);
  record.writeUInt32BE(TTL_SECONDS, 6);
  record.writeUInt16BE(4, 10);
  record.set(address.split('.').map(Number), 12);
  return Buffer.concat([header, question.section, record]);
}

export function oddAnswer(id: number, code: number): Buffer {
  return headerOf(id, code, false);
}

function headerOf(id: number, code: number, wantsRecursion: boolean): Buffer {
  const header = Buffer.alloc(HEADER);
  header.writeUInt16BE(id, 0);
  header.writeUInt16BE(0x8080 | (wantsRecursion ? 0x0100 : 0) | code, 2);
  return header;
}
