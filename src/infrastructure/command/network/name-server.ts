import type { Socket as DatagramSocket } from 'node:dgram';
import type { Socket } from 'node:net';
import type { HostAccess } from '../../../domain/permission/network/host-access.js';
import { parseHostName } from '../../../domain/permission/network/host-name.js';
import type { AddressBook } from './address-book.js';
import {
  answerTo,
  type NameQuestion,
  NO_ERROR,
  NO_SUCH_NAME,
  oddAnswer,
  readQuestion,
  SERVER_FAILURE,
  TYPE_A,
} from './dns-message.js';

const QUESTIONS_PER_SECOND = 1000;
const BURST = 2000;
const LONGEST_QUESTION = 4096;
/** Programs ask who an address of theirs belongs to; no host is meant by it. */
const REVERSE = /(?:^|\.)(?:in-addr|ip6)\.arpa$/;
/** A connection over which nothing is asked for so long is closed. */
const QUIET_MS = 30_000;

export interface NameServerParts {
  readonly access: Pick<HostAccess, 'reaches'>;
  readonly book: AddressBook;
  readonly refused: (name: string) => void;
  readonly now?: () => number;
}

/** Answers the questions for names in a network by host: an address of its own for each listed one. */
export class NameServer {
  #credit = BURST;
  #creditAt: number;

  constructor(private readonly parts: NameServerParts) {
    this.#creditAt = this.#now();
  }

  /** Returns the answer, or undefined if there is none. */
  answer(message: Buffer): Buffer | undefined {
    if (message.length > LONGEST_QUESTION || !this.#hasCredit()) return undefined;
    const read = readQuestion(message);
    if (read.kind === 'none') return undefined;
    return read.kind === 'odd' ? oddAnswer(read.id, read.code) : this.#answer(read.question);
  }

  listen(socket: DatagramSocket): void {
    socket.on('message', (message, { port, address }) => {
      const answer = this.answer(message);
      // Who asked may have ended meanwhile; that is no reason to end.
      if (answer !== undefined) socket.send(answer, port, address, () => undefined);
    });
    socket.on('error', () => undefined);
  }

  /** Questions over TCP: each behind its length. */
  serve(socket: Socket): void {
    let held: Buffer = Buffer.alloc(0);
    socket.on('error', () => socket.destroy());
    socket.setTimeout(QUIET_MS, () => socket.destroy());
    socket.once('end', () => socket.end());
    socket.on('data', (chunk) => {
      held = Buffer.concat([held, chunk]);
      while (held.length >= 2 && held.length >= 2 + held.readUInt16BE(0)) {
        const length = held.readUInt16BE(0);
        const answer = this.answer(held.subarray(2, 2 + length));
        held = held.subarray(2 + length);
        if (answer === undefined) return void socket.destroy();
        const size = Buffer.alloc(2);
        size.writeUInt16BE(answer.length);
        socket.write(Buffer.concat([size, answer]));
      }
      if (held.length > LONGEST_QUESTION + 2) socket.destroy();
    });
    socket.resume();
  }

  #answer(question: NameQuestion): Buffer {
    const name = parseHostName(question.name);
    if (name === 'localhost')
      return answerTo(question, NO_ERROR, question.type === TYPE_A ? '127.0.0.1' : undefined);
    if (name === undefined || !this.parts.access.reaches(name)) {
      if (name === undefined || !REVERSE.test(name)) this.parts.refused(name ?? shown(question.name));
      return answerTo(question, NO_SUCH_NAME);
    }
    if (question.type !== TYPE_A) return answerTo(question, NO_ERROR);
    const address = this.parts.book.addressOf(name);
    return address === undefined ? answerTo(question, SERVER_FAILURE) : answerTo(question, NO_ERROR, address);
  }

  #hasCredit(): boolean {
    const now = this.#now();
    this.#credit = Math.min(BURST, this.#credit + ((now - this.#creditAt) / 1000) * QUESTIONS_PER_SECOND);
    this.#creditAt = now;
    if (this.#credit < 1) return false;
    this.#credit -= 1;
    return true;
  }

  #now(): number {
    return (this.parts.now ?? (() => performance.now()))();
  }
}

/** What was asked for, in a form that a log can hold. */
function shown(name: string): string {
  return JSON.stringify(name.slice(0, 80)).slice(1, -1);
}
