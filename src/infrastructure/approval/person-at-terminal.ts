import { closeSync, openSync } from 'node:fs';
import { ReadStream, WriteStream } from 'node:tty';
import { errnoOf } from '../state/errno.js';

const MAX_LINE = 1_000;
/** Ctrl-C and Ctrl-D. */
const STOP = ['\u0003', '\u0004'];

/** The person at the terminal of this process, whatever its standard input and output are. */
export class PersonAtTerminal {
  readonly #input: ReadStream;
  readonly #output: WriteStream;
  #typed = '';

  private constructor() {
    this.#input = new ReadStream(openSync('/dev/tty', 'r'));
    this.#output = new WriteStream(openSync('/dev/tty', 'w'));
    this.#input.setEncoding('utf8').pause();
  }

  /** undefined: this process has no terminal. */
  static open(): PersonAtTerminal | undefined {
    try {
      closeSync(openSync('/dev/tty', 'r+'));
      return new PersonAtTerminal();
    } catch (error) {
      if (errnoOf(error) !== undefined) return undefined;
      throw error;
    }
  }

  show(text: string): void {
    this.#output.write(`${text}\n`);
  }

  /** undefined: the person wants to stop, with Ctrl-C or Ctrl-D. */
  ask(question: string): Promise<string | undefined> {
    return this.#line(question, true);
  }

  /** The same, without showing what is typed. */
  secret(question: string): Promise<string | undefined> {
    return this.#line(question, false);
  }

  close(): void {
    if (this.#input.isRaw) this.#input.setRawMode(false);
    this.#input.destroy();
    this.#output.destroy();
  }

  #line(question: string, shown: boolean): Promise<string | undefined> {
    this.#output.write(question);
    this.#input.setRawMode(true);
    return new Promise((resolve) => {
      let line = '';
      const end = (text: string | undefined): void => {
        this.#input.off('data', take).off('end', gone).pause();
        this.#input.setRawMode(false);
        this.#output.write('\n');
        resolve(text);
      };
      const gone = (): void => end(undefined);
      const take = (part: Buffer | string): void => {
        this.#typed += part.toString();
        while (this.#typed !== '') {
          const [character = ''] = this.#typed;
          this.#typed = this.#typed.slice(character.length);
          if (character === '\r' || character === '\n' || STOP.includes(character)) {
            end(STOP.includes(character) ? undefined : line);
            return;
          }
          if (character === '\u007f' || character === '\b') {
            if (shown && line !== '') this.#output.write('\b \b');
            line = [...line].slice(0, -1).join('');
          } else if (character >= ' ' && line.length < MAX_LINE) {
            line += character;
            if (shown) this.#output.write(character);
          }
        }
      };
      this.#input.on('data', take).on('end', gone).resume();
      if (this.#typed !== '') take('');
    });
  }
}
