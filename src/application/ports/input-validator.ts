import type { ServiceIdentifier } from 'inversify';
import type { Result } from '../../domain/result.js';
import type { Tool } from '../../domain/tool/tool.js';
import type { ToolError } from '../../domain/tool/tool-error.js';
import type { ArgumentValues } from '../tool/runnable-tool.js';

/** Checks arguments against a tool's schema. Every problem is listed; good arguments come back frozen. */
export interface InputValidator {
  check(tool: Tool, input: unknown): Promise<Result<ArgumentValues, ToolError>>;
}

export const InputValidator: ServiceIdentifier<InputValidator> = Symbol.for('castellan.InputValidator');
