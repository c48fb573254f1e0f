import type { ContainerModuleLoadOptions } from 'inversify';
import { DEFAULT_MODEL_LIMITS, ModelLimits } from '../application/model/model-limits.js';
import { LanguageModel } from '../application/ports/language-model.js';
import { Redactor } from '../application/ports/redactor.js';
import { AnthropicModel } from '../infrastructure/model/anthropic-model.js';
import type { CastellanOptions } from './castellan-options.js';

type Bind = ContainerModuleLoadOptions['bind'];

export function bindModel(bind: Bind, { model = {} }: CastellanOptions): void {
  bind(ModelLimits).toConstantValue({ ...DEFAULT_MODEL_LIMITS, ...model });
  const { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: baseUrl } = process.env;
  bind(LanguageModel)
    .toResolvedValue((redactor) => new AnthropicModel({ apiKey, baseUrl }, redactor), [Redactor])
    .inSingletonScope();
}
