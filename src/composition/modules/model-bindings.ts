import type { ContainerModuleLoadOptions } from 'inversify';
import { ModelDefaults } from '../../application/model/model-defaults.js';
import { Redactor } from '../../application/ports/audit/redactor.js';
import { LanguageModel } from '../../application/ports/model/language-model.js';
import { TokenLedger } from '../../application/ports/model/token-ledger.js';
import { ArgumentDefaults } from '../../application/tool/argument-defaults.js';
import { AnthropicModel } from '../../infrastructure/model/anthropic-model.js';
import { FileTokenLedger } from '../../infrastructure/model/file-token-ledger.js';
import type { CastellanOptions } from '../configuration/castellan-options.js';
import type { Configuration } from '../configuration/configuration.js';

type Bind = ContainerModuleLoadOptions['bind'];

const DEFAULT_MODEL = 'claude-sonnet-5-5';

export function bindModel(bind: Bind, configuration: Configuration, options: CastellanOptions): void {
  const { settings, stateFolder, workspace } = configuration;
  const { environment = process.env } = options;
  const { model = DEFAULT_MODEL, maxTokens } = { ...settings.claude, ...options.model };
  bind(ModelDefaults).toConstantValue({ model, maxTokens });
  bind(ArgumentDefaults)
    .toResolvedValue(
      (defaults): ArgumentDefaults => ({
        claude_conversation: { model: defaults.model, max_tokens: defaults.maxTokens },
      }),
      [ModelDefaults],
    )
    .inSingletonScope();
  bind(TokenLedger)
    .toResolvedValue(() => new FileTokenLedger(stateFolder, workspace))
    .inSingletonScope();
  const { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: baseUrl } = environment;
  bind(LanguageModel)
    .toResolvedValue((redactor) => new AnthropicModel({ apiKey, baseUrl }, redactor), [Redactor])
    .inSingletonScope();
}
