import { inputExcess } from '../../domain/tool/input-size.js';
import { limitExceeded, type ToolError } from '../../domain/tool/tool-error.js';

/** The refusal of arguments larger than the policy accepts; undefined if they are not. */
export function excessInput(args: unknown, maxInputBytes: number | undefined): ToolError | undefined {
  const bytes = maxInputBytes === undefined ? undefined : inputExcess(args, maxInputBytes);
  if (bytes === undefined) return undefined;
  return limitExceeded(
    `The arguments take ${bytes} bytes; the policy accepts ${maxInputBytes} (limits.max_input_bytes). Give less at once.`,
  );
}
