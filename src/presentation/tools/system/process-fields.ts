import * as Type from 'typebox';
import { WAIT_FOR } from '../../../application/command/background/wait-for-process.js';
import { oneOf } from '../tool-arguments.js';

export const MAX_WAIT_S = 45;

export const processId = Type.String({
  description: 'From execute_command or list_processes. At most 100 characters.',
  minLength: 1,
  maxLength: 100,
  examples: ['p_3fca0c4e'],
});

export const processState = oneOf(['running', 'exited', 'stopped', 'failed'], {
  description: 'failed: ended by a limit or a guard; the message says which.',
});

export const exitCode = Type.Optional(Type.Integer({ description: 'Once it has exited.', examples: [0] }));
export const runningTime = Type.Number({ description: 'How long it has run.', minimum: 0 });

/** `otherwise`: what is waited for by default. */
export const waitFor = (otherwise: string) =>
  Type.Optional(
    oneOf(WAIT_FOR, {
      description: `exit: until it ends. line: until it prints a whole line. idle: until it has printed something and is silent. Default: ${otherwise}. The end always counts.`,
      examples: ['exit'],
    }),
  );

export const waitSeconds = (otherwise: string) =>
  Type.Optional(
    Type.Number({
      description: `Seconds to wait at most, 0 to ${MAX_WAIT_S}. Default: ${otherwise}.`,
      minimum: 0,
      maximum: MAX_WAIT_S,
      examples: [30],
    }),
  );

/** The budget of tools that wait for a process as long as the caller asks. */
export const WAITING = {
  budget: { timeoutMs: (MAX_WAIT_S + 2) * 1000 },
  whyLonger: 'It waits for the process as long as the caller asks.',
};

export const processReport = Type.Object({
  process_id: Type.String({ description: 'As given.' }),
  state: processState,
  exit_code: exitCode,
  output: Type.String({ description: 'Both streams in order of arrival.' }),
  cursor: Type.Integer({ description: 'Where to read on.', minimum: 0 }),
  skipped_bytes: Type.Optional(
    Type.Integer({ description: 'Printed before this page and not kept.', minimum: 1, examples: [4_096] }),
  ),
  duration_ms: runningTime,
});

export const UNKNOWN = { type: 'ValidationError', when: 'this session has no such process' };
