import { inject, injectable } from 'inversify';
import { nearestNames } from '../../domain/nearest-names.js';
import {
  type Prompt,
  type PromptArgument,
  type PromptMessage,
  promptDescription,
  shownArguments,
  slotValues,
  VARARGS,
} from '../../domain/prompt/prompt.js';
import { Result } from '../../domain/result.js';
import type { Session } from '../../domain/session/session.js';
import type { ContentBlock } from '../../domain/tool/tool-result.js';
import { PromptSource } from '../ports/prompt/prompt-source.js';
import { SessionStore } from '../ports/session/session-store.js';
import { ResourceCatalogue } from '../resource/resource-catalogue.js';
import { WorkflowContexts } from '../session/workflow-contexts.js';
import { type Paged, pageAfter } from '../tool/page-cursor.js';
import { ExpandTemplate } from './expand-template.js';
import { PromptReferences } from './prompt-references.js';

/** A prompt with its arguments filled in. */
export interface RenderedPrompt {
  readonly description: string;
  readonly messages: readonly PromptMessage[];
  /** The handle that links calls made for this prompt. */
  readonly workflow: string;
  readonly problems: readonly string[];
}

const PATTERNS = 'architecture://patterns/';
const MAX_PATTERNS = 1000;
const LANGUAGES = ['typescript', 'javascript', 'python', 'go', 'java'];

/** Lists, renders and completes prompts. */
@injectable()
export class PromptCatalogue {
  constructor(
    @inject(PromptSource) private readonly source: PromptSource,
    @inject(SessionStore) private readonly sessions: SessionStore,
    @inject(ExpandTemplate) private readonly template: ExpandTemplate,
    @inject(WorkflowContexts) private readonly workflows: WorkflowContexts,
    @inject(ResourceCatalogue) private readonly resources: ResourceCatalogue,
    @inject(PromptReferences) private readonly references: PromptReferences,
  ) {}

  onChange(listener: () => void): () => void {
    return this.source.onChange(listener);
  }

  /**
   * Loads the prompts for a client that receives notifications, and checks their references now and after
   * each change.
   */
  async follow(sessionId: string): Promise<() => void> {
    await this.references.review(sessionId);
    return this.source.onChange(() => void this.references.review(sessionId));
  }

  async list(cursor?: string): Promise<Result<Paged<object>>> {
    const page = pageAfter(await this.source.list(), ({ name }) => name, cursor);
    if (!page.success) return page;
    const items = page.value.items.map((prompt) => ({
      name: prompt.name,
      ...(prompt.title !== undefined && { title: prompt.title }),
      description: promptDescription(prompt),
      arguments: shownArguments(prompt),
    }));
    return Result.ok({ ...page.value, items });
  }

  async get(
    sessionId: string,
    name: string,
    given: Readonly<Record<string, string>>,
  ): Promise<Result<RenderedPrompt>> {
    const session = this.#session(sessionId);
    if (!session.success) return session;
    const prompt = await this.#find(name);
    if (!prompt.success) return prompt;
    const problem = problemWith(prompt.value, given);
    if (problem !== undefined) return Result.failure(problem, 'InvalidArguments');
    const args = slotValues(prompt.value, given);
    const values = {
      ...Object.fromEntries(prompt.value.arguments.map((argument) => [argument.name, ''])),
      ...args,
    };
    const withAll = { [VARARGS]: given[VARARGS] ?? Object.values(args).join(' '), ...values };
    const { texts, problems } = await this.template.expand(
      prompt.value.messages.map(({ text }) => text),
      withAll,
      session.value,
    );
    const messages = prompt.value.messages.map(({ role, content }, index) => ({
      role,
      text: texts[index] ?? '',
      ...(content && { content: filledIn(content, values) }),
    }));
    const workflow = (await this.workflows.open(session.value, name, args)).id;
    return Result.ok({ description: prompt.value.description, messages, workflow, problems });
  }

  /** Required arguments that are missing; none if there is no such prompt. */
  async missing(name: string, given: Readonly<Record<string, string>>): Promise<readonly PromptArgument[]> {
    const prompt = await this.#find(name);
    return prompt.success ? missingArguments(prompt.value, given) : [];
  }

  async complete(
    sessionId: string,
    name: string,
    argument: string,
    typed: string,
  ): Promise<Result<readonly string[]>> {
    const prompt = await this.#find(name);
    if (!prompt.success) return prompt;
    const values =
      argument === 'language' ? LANGUAGES : /pattern/.test(argument) ? await this.#patterns(sessionId) : [];
    return Result.ok(values.filter((value) => value.toLowerCase().startsWith(typed.toLowerCase())));
  }

  async #patterns(sessionId: string): Promise<readonly string[]> {
    const uris = await this.resources.matching(sessionId, `${PATTERNS}*`, MAX_PATTERNS);
    return uris.map((uri) => decodeURIComponent(uri.slice(PATTERNS.length)));
  }

  async #find(name: string): Promise<Result<Prompt>> {
    const prompts = await this.source.list();
    const found = prompts.find((prompt) => prompt.name === name);
    if (found !== undefined) return Result.ok(found);
    const names = prompts.map((prompt) => prompt.name);
    const near = nearestNames(name, names);
    const hint =
      near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `There are: ${names.join(', ') || 'none'}.`;
    return Result.failure(`There is no prompt "${name.slice(0, 100)}". ${hint}`, 'NotFound');
  }

  #session(id: string): Result<Session> {
    return (
      this.sessions.get(id)?.checkReady() ??
      Result.failure('There is no such session; open one first.', 'SessionNotReady')
    );
  }
}

/** The value of an argument stays a string in the placeholder's position. */
function filledIn(content: ContentBlock, values: Readonly<Record<string, string>>): ContentBlock {
  return JSON.parse(JSON.stringify(content), (_key, value: unknown) =>
    typeof value === 'string'
      ? value.replaceAll(/\{\{(\w+)\}\}/g, (all, name: string) =>
          Object.hasOwn(values, name) ? (values[name] ?? all) : all,
        )
      : value,
  );
}

function problemWith(prompt: Prompt, given: Readonly<Record<string, string>>): string | undefined {
  const shown = shownArguments(prompt);
  const known = [...shown, ...prompt.arguments].map(({ name }) => name);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  const listed = shown.map(({ name }) => name).join(', ') || 'none';
  if (unknown !== undefined)
    return `The prompt ${prompt.name} has no argument "${unknown.slice(0, 100)}". It has: ${listed}.`;
  const missing = missingArguments(prompt, given);
  if (missing.length === 0) return undefined;
  return `The prompt ${prompt.name} needs ${missing.map(({ name }) => name).join(', ')}. Its arguments: ${listed}.`;
}

function missingArguments(
  prompt: Prompt,
  given: Readonly<Record<string, string>>,
): readonly PromptArgument[] {
  const values = slotValues(prompt, given);
  return prompt.arguments.filter(({ name, required }) => required && (values[name] ?? '') === '');
}
