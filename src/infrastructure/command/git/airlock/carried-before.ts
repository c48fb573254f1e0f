import { Result } from '../../../../domain/result.js';
import { executionFailed, type ToolError, toolFailure } from '../../../../domain/tool/tool-error.js';
import type { CarryReport } from '../carrier/carrier-messages.js';
import type { Airlock } from './airlock.js';

/** Where the two sides cannot be brought together, nothing runs. */
export async function carriedBefore(
  airlock: Airlock | undefined,
): Promise<Result<readonly CarryReport[], ToolError>> {
  try {
    return Result.ok((await airlock?.before()) ?? []);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return toolFailure(
      executionFailed(
        `Nothing was run, because the git folder of commands could not be made like the user's: ${why}. The user sees more with: castellan git status`,
      ),
    );
  }
}
