import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { hasErrno } from '../state/errno.js';

const run = promisify(execFile);
const PATIENCE_MS = 5000;

export type ProgramAnswer = { readonly text: string } | { readonly why: string };

/** The first line of what a program says, or why it says nothing. */
export async function askProgram(program: string, args: readonly string[]): Promise<ProgramAnswer> {
  try {
    const { stdout } = await run(program, [...args], { timeout: PATIENCE_MS });
    return { text: stdout.split('\n', 1)[0] ?? '' };
  } catch (error) {
    if (hasErrno(error, 'ENOENT')) return { why: 'not installed' };
    const message = error instanceof Error ? error.message : String(error);
    return { why: message.trimEnd().split('\n').at(-1) ?? message };
  }
}
