import { runProgram } from '../process/process-starter.js';

const PATIENCE_MS = 5000;

export type ProgramAnswer = { readonly text: string } | { readonly why: string };

/** The first line of what a program says, or why it says nothing. */
export async function askProgram(program: string, args: readonly string[]): Promise<ProgramAnswer> {
  const { stdout, stderr, problem, isMissing } = await runProgram(program, args, { timeoutMs: PATIENCE_MS });
  if (isMissing) return { why: 'not installed' };
  if (problem === undefined) return { text: textOf(stdout).split('\n', 1)[0] ?? '' };
  return { why: textOf(stderr).trimEnd().split('\n').at(-1) || problem };
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}
