import type { ResourceCatalogue } from '../../../application/resource/resource-catalogue.js';
import { isJsonObject } from '../../../domain/json-value.js';
import { Result } from '../../../domain/result.js';
import type { PromptSurface } from './prompt-surface.js';
import { invalidParams, type WireAnswer } from './result-mapping.js';

type Params = Readonly<Record<string, unknown>>;

const MAX_COMPLETIONS = 100;

/** Answers completion/complete. */
export async function complete(
  resources: ResourceCatalogue,
  prompts: PromptSurface,
  sessionId: string,
  { ref, argument }: Params,
): Promise<WireAnswer> {
  if (!isJsonObject(ref) || !isJsonObject(argument) || typeof argument.name !== 'string') {
    return invalidParams('completion/complete: ref and argument.name are required.');
  }
  const typed = typeof argument.value === 'string' ? argument.value : '';
  const values = await completions(resources, prompts, sessionId, ref, argument.name, typed);
  if (!values.success) return invalidParams(`completion/complete: ${values.error}`);
  const shown = values.value.slice(0, MAX_COMPLETIONS);
  return {
    result: {
      completion: {
        values: shown,
        total: values.value.length,
        hasMore: values.value.length > shown.length,
      },
    },
  };
}

async function completions(
  resources: ResourceCatalogue,
  prompts: PromptSurface,
  sessionId: string,
  { type, uri, name }: Params,
  argument: string,
  typed: string,
): Promise<Result<readonly string[]>> {
  if (type === 'ref/resource' && typeof uri === 'string')
    return resources.complete(sessionId, uri, argument, typed);
  if (type === 'ref/prompt' && typeof name === 'string')
    return prompts.complete(sessionId, name, argument, typed);
  const expected = '{"type":"ref/resource","uri":...} or {"type":"ref/prompt","name":...}';
  return Result.failure(`ref must be ${expected}.`, 'InvalidParams');
}
