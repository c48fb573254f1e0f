import { inject, injectable } from 'inversify';
import type { Category } from '../../domain/knowledge/document/category.js';
import { Failure, Result } from '../../domain/result.js';
import { executionFailed, type ToolError, toolFailure } from '../../domain/tool/tool-error.js';
import { type FlagListing, ListFlagsHandler } from '../flag/list-flags.js';
import { DocumentLibrary, type DocumentProblem } from '../ports/knowledge/document-library.js';
import { KnowledgeSettings, type ProjectKnowledge } from './knowledge-settings.js';

export interface GetProjectConfigQuery {
  /** Default: the active project. */
  readonly project?: string;
}

export interface ProjectConfig {
  readonly project: string;
  readonly active: boolean;
  readonly categories: Readonly<Record<string, Omit<Category, 'name'>>>;
  readonly collections: ProjectKnowledge['collections'];
  readonly flags: FlagListing;
  readonly paths: { readonly workspace: string; readonly categories: Readonly<Record<string, string>> };
  readonly problems: readonly DocumentProblem[];
}

const MAX_PROBLEMS = 50;

@injectable()
export class GetProjectConfigHandler {
  constructor(
    @inject(KnowledgeSettings) private readonly settings: KnowledgeSettings,
    @inject(DocumentLibrary) private readonly library: DocumentLibrary,
    @inject(ListFlagsHandler) private readonly flags: ListFlagsHandler,
  ) {}

  async handle({ project }: GetProjectConfigQuery): Promise<Result<ProjectConfig, ToolError>> {
    const { settings } = this;
    const name = project ?? settings.project.name;
    const active = name === settings.project.name;
    const others = settings.projects ?? {};
    const knowledge = active ? settings : Object.hasOwn(others, name) ? others[name] : undefined;
    if (knowledge === undefined) return unknownProject(name, [settings.project.name, ...Object.keys(others)]);
    const flags = active ? await this.flags.handle({ scope: 'project' }) : Result.ok({});
    if (!flags.success) return flags;
    const config: ProjectConfig = {
      project: name,
      active,
      categories: Object.fromEntries(knowledge.categories.map(({ name, ...rest }) => [name, rest])),
      collections: knowledge.collections,
      flags: flags.value,
      paths: {
        workspace: settings.workspace,
        categories: Object.fromEntries(knowledge.categories.map(({ name, dir }) => [name, dir])),
      },
      problems: this.library.problems().slice(0, MAX_PROBLEMS),
    };
    return Result.ok(config, {
      message: 'Configuration loaded successfully.',
      instruction: 'Review the configuration before making changes.',
    });
  }
}

function unknownProject(name: string, known: readonly string[]): Failure<ToolError> {
  const message = `No configuration found for project: ${name.slice(0, 100)}`;
  const failure = toolFailure(
    executionFailed(`${message}. There are: ${known.join(', ')}.`, {
      type: 'NotFoundError',
      instruction:
        'Present this error to the user. Do not attempt to create a default configuration automatically.',
    }),
  );
  return new Failure(failure.error, failure.errorType, { ...failure.notes, message });
}
