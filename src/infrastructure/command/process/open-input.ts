import type { Writable } from 'node:stream';
import type { CommandInput } from '../../../application/ports/command/command-sandbox.js';

/** What may wait in the server until a command reads it. */
const MAX_WAITING = 1024 * 1024;

export function openInput(stdin: Writable): CommandInput {
  return {
    write: (text) => {
      if (!stdin.writable || stdin.writableLength + Buffer.byteLength(text) > MAX_WAITING) return false;
      stdin.write(text);
      return true;
    },
    close: () => void stdin.end(),
  };
}
