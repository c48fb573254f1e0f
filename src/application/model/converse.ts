import { inject, injectable } from 'inversify';
import { Result } from '../../domain/result.js';
import {
  executionFailed,
  limitExceeded,
  permissionDenied,
  type ToolError,
  toolFailure,
} from '../../domain/tool/tool-error.js';
import { LanguageModel, type ModelAnswer, type ModelQuestion } from '../ports/language-model.js';
import { Logger } from '../ports/logger.js';
import type { ToolContext } from '../tool/tool-context.js';
import { ModelLimits } from './model-limits.js';
import { TokenAccount } from './token-account.js';

export interface ConverseCommand {
  readonly message: string;
  readonly model?: string;
  readonly systemPrompt?: string;
  readonly maxTokens?: number;
}

type Conversing = Pick<ToolContext, 'signal' | 'progress' | 'sample' | 'correlationId'>;

/** Asks our own model where a key is set, otherwise the client's; always within what the policy allows. */
@injectable()
export class ConverseHandler {
  constructor(
    @inject(LanguageModel) private readonly model: LanguageModel,
    @inject(ModelLimits) private readonly limits: ModelLimits,
    @inject(TokenAccount) private readonly account: TokenAccount,
    @inject(Logger) private readonly logger: Logger,
  ) {}

  async handle(command: ConverseCommand, call: Conversing): Promise<Result<ModelAnswer, ToolError>> {
    const question = this.question(command);
    if (!question.success) return question;
    const affordable = this.account.check();
    if (!affordable.success) return affordable;
    const { missing } = this.model;
    const answer =
      missing === undefined
        ? await this.model.ask(question.value, call.signal, (characters) =>
            call.progress(characters, undefined, `${characters} characters so far`),
          )
        : await askClient(question.value, command.model, call, missing);
    if (answer.success) this.count(answer.value, call.correlationId);
    return answer;
  }

  private question(command: ConverseCommand): Result<ModelQuestion, ToolError> {
    const { defaultModel, defaultMaxTokens, allowedModels, maxTokens: most = Infinity } = this.limits;
    const model = command.model ?? defaultModel;
    if (allowedModels !== undefined && !allowedModels.some((allowed) => covers(allowed, model))) {
      return toolFailure(
        permissionDenied(
          'ARGUMENT',
          `The policy does not allow the model ${model.slice(0, 100)}. Allowed: ${allowedModels.join(', ') || 'none'}.`,
        ),
      );
    }
    const maxTokens = command.maxTokens ?? Math.min(defaultMaxTokens, most);
    if (maxTokens > most) {
      return toolFailure(
        limitExceeded(`max_tokens may be at most ${most} here; got ${maxTokens}. Ask for a shorter answer.`),
      );
    }
    const { message, systemPrompt } = command;
    return Result.ok({ message, model, maxTokens, ...(systemPrompt !== undefined && { systemPrompt }) });
  }

  private count({ model, inputTokens, outputTokens }: ModelAnswer, correlationId: string): void {
    this.account.add(inputTokens + outputTokens);
    this.logger.info('Conversation', { model, inputTokens, outputTokens, correlationId });
  }
}

/** The model a client lends is the client's choice and at its expense; ours is a hint, and only where one was named. */
async function askClient(
  { message, maxTokens, systemPrompt }: ModelQuestion,
  model: string | undefined,
  call: Conversing,
  missing: string,
): Promise<Result<ModelAnswer, ToolError>> {
  const answer = await call.sample({
    messages: [{ role: 'user', content: { type: 'text', text: message } }],
    maxTokens,
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(model !== undefined && { model }),
  });
  if (answer.action === 'unavailable') {
    // No fault of the tool: a breaker that opens on it would hide what to set.
    return toolFailure({
      kind: 'unavailable',
      message: `There is no model to ask. ${missing} The client's own model was tried: ${answer.why}`,
      instruction: 'Tell the user what to set; do not retry.',
    });
  }
  if (answer.text === '') return toolFailure(executionFailed("The client's model answered without text."));
  return Result.ok({
    text: answer.text,
    model: answer.model,
    cut: false,
    inputTokens: 0,
    outputTokens: 0,
  });
}

function covers(allowed: string, model: string): boolean {
  return allowed.endsWith('*') ? model.startsWith(allowed.slice(0, -1)) : model === allowed;
}
