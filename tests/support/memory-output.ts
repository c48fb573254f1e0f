import type { Output } from '../../src/presentation/cli/output.js';

/** Keeps what a command printed. */
export class MemoryOutput implements Output {
  stdout = '';
  stderr = '';
  readonly shown: string[] = [];

  constructor(readonly forPeople = false) {}

  out(text: string): void {
    this.stdout += `${text}\n`;
  }

  raw(text: string): void {
    this.stdout += this.forPeople && !text.endsWith('\n') ? `${text}\n` : text;
  }

  err(text: string): void {
    this.stderr += `${text}\n`;
  }

  note(text: string): void {
    this.err(text);
  }

  paint(_colour: string, text: string): string {
    return text;
  }

  progress(text: string): void {
    this.shown.push(text);
  }
}
