import { inject, injectable } from 'inversify';
import { type FileProblem, formatProblem } from '../../domain/file-problem.js';
import { type Prompt, VARARGS } from '../../domain/prompt/prompt.js';
import { parseTemplate, type TemplatePart } from '../../domain/prompt/prompt-template.js';
import { PromptSource } from '../ports/prompt/prompt-source.js';
import { Logger } from '../ports/system/logger.js';
import { ToolRegistry } from '../ports/tool/tool-registry.js';
import { ResourceCatalogue } from '../resource/resource-catalogue.js';

/** Checks the placeholders of prompts when a prompt is loaded, not only when it is rendered. */
@injectable()
export class PromptReferences {
  readonly #reviewed = new WeakSet<Prompt>();

  constructor(
    @inject(PromptSource) private readonly source: PromptSource,
    @inject(ToolRegistry) private readonly tools: ToolRegistry,
    @inject(ResourceCatalogue) private readonly resources: ResourceCatalogue,
    @inject(Logger) private readonly logger: Logger,
  ) {}

  /** All problems of the files: skipped ones, and references that match nothing. */
  async problems(sessionId: string): Promise<readonly FileProblem[]> {
    const prompts = await this.source.list();
    const dangling = await Promise.all(prompts.map((prompt) => this.#dangling(prompt, sessionId)));
    return [...this.source.problems(), ...dangling.flat()];
  }

  /** Logs problems, once per version of a prompt. */
  async review(sessionId: string): Promise<void> {
    for (const prompt of await this.source.list()) {
      if (this.#reviewed.has(prompt)) continue;
      this.#reviewed.add(prompt);
      const problems = await this.#dangling(prompt, sessionId);
      if (problems.length === 0) continue;
      this.logger.warn('A prompt refers to what is not there', { problems: problems.map(formatProblem) });
    }
  }

  async #dangling(prompt: Prompt, sessionId: string): Promise<readonly FileProblem[]> {
    if (prompt.shipped === true) return [];
    const problems: FileProblem[] = [];
    for (const { text, at } of prompt.messages) {
      for (const part of parseTemplate(text)) {
        const message = await this.#problemWith(part, prompt, sessionId);
        if (message === undefined) continue;
        problems.push({ file: prompt.file ?? prompt.name, ...(at ?? { line: 1, column: 1 }), message });
      }
    }
    return problems;
  }

  async #problemWith(part: TemplatePart, prompt: Prompt, sessionId: string): Promise<string | undefined> {
    switch (part.kind) {
      case 'text':
        return undefined;
      case 'argument': {
        const known = part.name === VARARGS || prompt.arguments.some(({ name }) => name === part.name);
        return known ? undefined : `${part.written} is not an argument of ${prompt.name}.`;
      }
      case 'run': {
        const unknown = part.takes.find(
          ([, argument]) => argument !== VARARGS && prompt.arguments.every(({ name }) => name !== argument),
        );
        if (unknown !== undefined)
          return `${part.written}: ${unknown[1]} is not an argument of ${prompt.name}.`;
        return this.tools.get(part.name) === undefined ? `${part.written} names no tool.` : undefined;
      }
      case 'tool':
        return this.tools.get(part.name) === undefined ? `${part.written} names no tool.` : undefined;
      case 'resource': {
        const { uri, written } = part;
        // A star matches any number of resources, including none in a new project.
        if (uri.includes('*')) return undefined;
        return (await this.resources.has(sessionId, uri)).success
          ? undefined
          : `${written} names no resource.`;
      }
    }
  }
}
