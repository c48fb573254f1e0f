import { inject, injectable } from 'inversify';
import { PromptCatalogue } from '../../../application/prompt/prompt-catalogue.js';
import { WORKFLOW_META } from '../../../application/session/workflow-contexts.js';
import { isJsonObject } from '../../../domain/json-value.js';
import type { PromptArgument } from '../../../domain/prompt/prompt.js';
import type { Result } from '../../../domain/result.js';
import { INVALID_PARAMS } from './json-rpc.js';
import type { WireAnswer } from './result-mapping.js';

type Params = Readonly<Record<string, unknown>>;

/** Prompts in terms of the protocol. */
@injectable()
export class PromptSurface {
  constructor(@inject(PromptCatalogue) private readonly prompts: PromptCatalogue) {}

  onChange(listener: () => void): () => void {
    return this.prompts.onChange(listener);
  }

  follow(sessionId: string): Promise<() => void> {
    return this.prompts.follow(sessionId);
  }

  async list({ cursor }: Params): Promise<WireAnswer> {
    if (cursor !== undefined && typeof cursor !== 'string')
      return invalid('prompts/list: cursor must be a string.');
    const page = await this.prompts.list(cursor);
    if (!page.success) return invalid(`prompts/list: ${page.error}`);
    const { items: prompts, nextCursor } = page.value;
    return { result: { prompts, ...(nextCursor !== undefined && { nextCursor }) } };
  }

  async get(sessionId: string, { name, arguments: given = {} }: Params): Promise<WireAnswer> {
    if (typeof name !== 'string') return invalid('prompts/get: name is required, as prompts/list shows it.');
    if (!isTexts(given)) return invalid('prompts/get: arguments must be an object of strings.');
    const rendered = await this.prompts.get(sessionId, name, given);
    if (!rendered.success) return invalid(`prompts/get: ${rendered.error}`);
    const { description, messages, workflow, problems } = rendered.value;
    const note = `Workflow: ${workflow} (pass it as _meta["${WORKFLOW_META}"] of tool calls; tools read the latest where none is passed)`;
    const shown = messages.map(({ role, text, content }, index) => ({
      role,
      content: content ?? { type: 'text', text: index === messages.length - 1 ? `${text}\n\n${note}` : text },
    }));
    const meta = {
      [WORKFLOW_META]: workflow,
      ...(problems.length > 0 && { 'castellan/problems': problems }),
    };
    return { result: { description, messages: shown, _meta: meta } };
  }

  /** Required arguments that are not among those given; none where there is no such prompt. */
  missing(name: string, given: Params): Promise<readonly PromptArgument[]> {
    return this.prompts.missing(name, isTexts(given) ? given : {});
  }

  complete(
    sessionId: string,
    name: string,
    argument: string,
    typed: string,
  ): Promise<Result<readonly string[]>> {
    return this.prompts.complete(sessionId, name, argument, typed);
  }
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isJsonObject(value) && Object.values(value).every((member) => typeof member === 'string');
}

function invalid(message: string): WireAnswer {
  return { error: { code: INVALID_PARAMS, message } };
}
