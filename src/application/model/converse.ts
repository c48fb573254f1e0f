import { inject, injectable } from 'inversify';
import { estimateTokens } from '../../domain/model/token-spending.js';
import { Result } from '../../domain/result.js';
import {
  executionFailed,
  permissionDenied,
  type ToolError,
  toolFailure,
} from '../../domain/tool/tool-error.js';
import type { ToolContext } from '../call/tool-context.js';
import { LanguageModel, type ModelAnswer, type ModelQuestion } from '../ports/model/language-model.js';
import { Logger } from '../ports/system/logger.js';
import { ModelDefaults } from './model-defaults.js';
import { TokenAccount } from './token-account.js';

export interface ConverseCommand {
  /** The tool that asks: its entry in the policy says which models it may use. */
  readonly tool: string;
  readonly message: string;
  readonly model?: string;
  readonly systemPrompt?: string;
  readonly maxTokens?: number;
}

type Conversing = Pick<ToolContext, 'signal' | 'progress' | 'sample' | 'correlationId' | 'caller' | 'grant'>;

/** Asks our own model if a key is set, otherwise the client's; both within what the policy allows. */
@injectable()
export class ConverseHandler {
  constructor(
    @inject(LanguageModel) private readonly model: LanguageModel,
    @inject(ModelDefaults) private readonly defaults: ModelDefaults,
    @inject(TokenAccount) private readonly account: TokenAccount,
    @inject(Logger) private readonly logger: Logger,
  ) {}

  async handle(command: ConverseCommand, call: Conversing): Promise<Result<ModelAnswer, ToolError>> {
    const question = this.question(command);
    const { policy, obligations } = call.grant;
    // The decision was made on completed arguments; a validator that completes none must not open a bypass.
    if (!policy.allowsModel(command.tool, question.model)) return refuseModel(`The model ${question.model}`);
    const asked = estimateTokens(question.message.length + (question.systemPrompt?.length ?? 0));
    const booking = await this.account.book(
      obligations.tokens ?? [],
      call.caller.id,
      asked + question.maxTokens,
    );
    if (!booking.success) return booking;
    let characters = 0;
    const { missing } = this.model;
    const answer =
      missing === undefined
        ? await this.model.ask(question, call.signal, (so) => {
            characters = so;
            call.progress(so, undefined, `${so} characters so far`);
          })
        : await askClient(question, asked, call, missing);
    await booking.value.settle(answer.success ? costOf(answer.value) : partialCost(asked, characters));
    if (!answer.success) return answer;
    this.count(answer.value, call.correlationId);
    return missing === undefined || policy.allowsModel(command.tool, answer.value.model)
      ? answer
      : refuseModel(`The client answered with ${answer.value.model}, and that model`);
  }

  private question(command: ConverseCommand): ModelQuestion {
    const { message, systemPrompt } = command;
    const { model = this.defaults.model, maxTokens = this.defaults.maxTokens } = command;
    return { message, model, maxTokens, ...(systemPrompt !== undefined && { systemPrompt }) };
  }

  private count({ model, inputTokens, outputTokens, estimated }: ModelAnswer, correlationId: string): void {
    this.logger.info('Conversation', {
      model,
      inputTokens,
      outputTokens,
      ...(estimated === true && { estimated }),
      correlationId,
    });
  }
}

function costOf({ inputTokens, outputTokens }: ModelAnswer): number {
  return inputTokens + outputTokens;
}

/** An answer that broke off was paid for as far as it came; a refused question costs nothing. */
function partialCost(asked: number, characters: number): number {
  return characters === 0 ? 0 : asked + estimateTokens(characters);
}

function refuseModel(which: string): Result<never, ToolError> {
  return toolFailure(
    permissionDenied(
      'ARGUMENT',
      `${which.slice(0, 200)} is not allowed by the policy (allowed_models).`,
      'Tell the user which models the policy allows; explain_permission names them.',
    ),
  );
}

/** The client chooses its model, ours is only a hint; so the model of the answer is checked as well. */
async function askClient(
  { message, maxTokens, systemPrompt, model }: ModelQuestion,
  asked: number,
  call: Conversing,
  missing: string,
): Promise<Result<ModelAnswer, ToolError>> {
  const answer = await call.sample({
    messages: [{ role: 'user', content: { type: 'text', text: message } }],
    maxTokens,
    model,
    ...(systemPrompt !== undefined && { systemPrompt }),
  });
  if (answer.action === 'unavailable') {
    // Not a fault of the tool: an open circuit breaker would hide what to configure.
    return toolFailure({
      kind: 'unavailable',
      message: `No model is available. ${missing} The client's own model was tried: ${answer.why}`,
      instruction: 'Tell the user what to configure; do not retry.',
    });
  }
  if (answer.text === '') return toolFailure(executionFailed("The client's model answered without text."));
  return Result.ok({
    text: answer.text,
    model: answer.model,
    cut: false,
    inputTokens: asked,
    outputTokens: estimateTokens(answer.text.length),
    estimated: true,
  });
}
