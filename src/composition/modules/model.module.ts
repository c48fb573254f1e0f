import { ConverseHandler } from '../../application/model/converse.js';
import { ModelDefaults } from '../../application/model/model-defaults.js';
import { TokenAccount } from '../../application/model/token-account.js';
import { Redactor } from '../../application/ports/audit/redactor.js';
import { LanguageModel } from '../../application/ports/model/language-model.js';
import { TokenLedger } from '../../application/ports/model/token-ledger.js';
import { ArgumentDefaults } from '../../application/tool/argument-defaults.js';
import { AnthropicModel } from '../../infrastructure/model/anthropic-model.js';
import { FileTokenLedger } from '../../infrastructure/model/file-token-ledger.js';
import { type Bind, bindSelves, type ServerParts } from './concept-module.js';

const DEFAULT_MODEL = 'claude-sonnet-5-5';

/** Conversations with a model, and the tokens that they may use. */
export function modelModule(bind: Bind, { configuration, options, environment }: ServerParts): void {
  const { settings, stateFolder, workspace } = configuration;
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
  bindSelves(bind, ConverseHandler, TokenAccount);
}
