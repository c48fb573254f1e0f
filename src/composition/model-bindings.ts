import type { ContainerModuleLoadOptions } from 'inversify';
import { DEFAULT_MODEL_LIMITS, ModelLimits } from '../application/model/model-limits.js';
import { LanguageModel } from '../application/ports/language-model.js';
import { Redactor } from '../application/ports/redactor.js';
import { AnthropicModel } from '../infrastructure/model/anthropic-model.js';
import type { CastellanOptions } from './castellan-options.js';
import type { Configuration } from './configuration.js';

type Bind = ContainerModuleLoadOptions['bind'];

export function bindModel(bind: Bind, { settings }: Configuration, options: CastellanOptions): void {
  const { model = {}, environment = process.env } = options;
  bind(ModelLimits).toConstantValue({
    ...DEFAULT_MODEL_LIMITS,
    defaultMaxTokens: settings.claude.maxTokens,
    ...(settings.claude.model !== undefined && { defaultModel: settings.claude.model }),
    ...model,
  });
  const { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: baseUrl } = environment;
  bind(LanguageModel)
    .toResolvedValue((redactor) => new AnthropicModel({ apiKey, baseUrl }, redactor), [Redactor])
    .inSingletonScope();
}
