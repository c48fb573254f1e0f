import type { ServiceIdentifier } from 'inversify';
import type { Result } from '../../../domain/result.js';
import type { Tool } from '../../../domain/tool/tool.js';
import type { ToolError } from '../../../domain/tool/tool-error.js';
import type { ArgumentValues } from '../../call/runnable-tool.js';

/**
 * Validates arguments with a tool's schema. Every problem is listed; valid arguments are returned complete
 * and frozen.
 */
export interface InputValidator {
  check(tool: Tool, input: unknown): Promise<Result<ArgumentValues, ToolError>>;
  /**
   * The arguments a call would run with: omitted ones come from the settings and the schema. Validates
   * nothing.
   */
  complete(tool: Tool, input: ArgumentValues): ArgumentValues;
}

export const InputValidator: ServiceIdentifier<InputValidator> = Symbol.for('castellan.InputValidator');
