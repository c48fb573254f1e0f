import * as Type from 'typebox';
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
