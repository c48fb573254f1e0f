import type { LanguageModel, ModelAnswer, ModelQuestion } from '../application/ports/model/language-model.js';
import { Result } from '../domain/result.js';
import type { ToolError } from '../domain/tool/tool-error.js';

/** Answers every question with the same text, and keeps the questions. */
export class ScriptedLanguageModel implements LanguageModel {
  readonly questions: ModelQuestion[] = [];

  constructor(
    private readonly text: string,
    readonly missing: string | undefined = undefined,
    readonly host: string | undefined = undefined,
  ) {}

  async ask(
    question: ModelQuestion,
    _signal: AbortSignal,
    onProgress: (characters: number) => void,
  ): Promise<Result<ModelAnswer, ToolError>> {
    this.questions.push(question);
    onProgress(this.text.length);
    const outputTokens = Math.ceil(this.text.length / 4);
    return Result.ok({
      text: this.text,
      model: question.model,
      cut: false,
      inputTokens: Math.ceil(question.message.length / 4),
      outputTokens,
    });
  }
}
