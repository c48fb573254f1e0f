import type { Output } from '../../src/presentation/cli/output.js';

/** Keeps what a command printed. */
export class MemoryOutput implements Output {
  stdout = '';
  stderr = '';

  out(text: string): void {
    this.stdout += `${text}\n`;
  }

  err(text: string): void {
    this.stderr += `${text}\n`;
  }
}
