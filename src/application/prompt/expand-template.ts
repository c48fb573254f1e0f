import { inject, injectable } from 'inversify';
import { parseTemplate, type TemplatePart } from '../../domain/prompt/prompt-template.js';
import { describeToolReference } from '../../domain/prompt/tool-reference.js';
import type { Session } from '../../domain/session/session.js';
import { PolicySource } from '../ports/permission/policy-source.js';
import { ToolRegistry } from '../ports/tool/tool-registry.js';
import { ResourceCatalogue } from '../resource/resource-catalogue.js';
import { ToolNaming } from '../tool/tool-naming.js';
import { PromptTools } from './prompt-tools.js';

export interface Expansion {
  readonly texts: readonly string[];
  /** Placeholders that match nothing. */
  readonly problems: readonly string[];
}

const MAX_PROBLEMS = 100;
/** The maximum number of resource names looked up, found or not. */
const MAX_LOOKUPS = 200;
/** Characters of arguments and tools over all placeholders: a template may repeat one very often. */
const MAX_FILLED = 8 * 1024 * 1024;
const MAX_RESOURCES = 50;
const MAX_CHARACTERS = 1024 * 1024;

/** Tools that are not offered if there is nothing for them to read. */
const KNOWLEDGE_TOOLS: ReadonlySet<string> = new Set([
  'check_adr_alignment',
  'validate_against_pattern',
  'search_architecture',
  'get_content',
  'create_document',
  'update_document',
  'delete_document',
]);
const CONFIGURE =
  'Name folders of documents under categories in castellan.yaml; docs/how-to/documents.md shows how.';

function plainName(name: string): string {
  return name.replaceAll('-', '_');
}

interface Budget {
  resources: number;
  characters: number;
  lookups: number;
  filled: number;
}

function take(value: string, written: string, budget: Budget, problems: string[]): string {
  if (value.length > budget.filled) {
    problems.push(`${written} has no room: arguments and tools fill at most ${MAX_FILLED} characters.`);
    return written;
  }
  budget.filled -= value.length;
  return value;
}

/** Fills arguments, resources and tools into a template, in this order. */
@injectable()
export class ExpandTemplate {
  constructor(
    @inject(ResourceCatalogue) private readonly resources: ResourceCatalogue,
    @inject(ToolRegistry) private readonly tools: ToolRegistry,
    @inject(PolicySource) private readonly policies: PolicySource,
    @inject(ToolNaming) private readonly naming: ToolNaming,
    @inject(PromptTools) private readonly promptTools: PromptTools,
  ) {}

  /** Fills all texts of one prompt, which share the limits. */
  async expand(
    templates: readonly string[],
    args: Readonly<Record<string, string>>,
    session: Session,
  ): Promise<Expansion> {
    const problems: string[] = [];
    const budget: Budget = {
      resources: MAX_RESOURCES,
      characters: MAX_CHARACTERS,
      lookups: MAX_LOOKUPS,
      filled: MAX_FILLED,
    };
    const texts: string[] = [];
    for (const template of templates) {
      const parts: string[] = [];
      for (const part of parseTemplate(template))
        parts.push(await this.#text(part, args, session, budget, problems));
      texts.push(parts.join(''));
    }
    return { texts, problems: problems.slice(0, MAX_PROBLEMS) };
  }

  async #text(
    part: TemplatePart,
    args: Readonly<Record<string, string>>,
    session: Session,
    budget: Budget,
    problems: string[],
  ): Promise<string> {
    switch (part.kind) {
      case 'text':
        return part.text;
      case 'argument': {
        const value = Object.hasOwn(args, part.name) ? args[part.name] : undefined;
        if (value === undefined) problems.push(`${part.written} is not an argument of this prompt.`);
        return value === undefined ? part.written : take(value, part.written, budget, problems);
      }
      case 'tool': {
        const tool = this.tools.get(part.name)?.tool;
        const visible =
          tool?.enabled &&
          session.canSee(tool.name) &&
          this.policies.current().policy.couldAllow(session.caller, tool.name);
        if (tool !== undefined && visible) {
          return take(describeToolReference(tool, this.naming.prefix), part.written, budget, problems);
        }
        if (tool === undefined && KNOWLEDGE_TOOLS.has(plainName(part.name))) {
          const advice = `${plainName(part.name)} is not available: the project has no documents. ${CONFIGURE}`;
          problems.push(`${part.written}: ${advice}`);
          return `[${advice}]`;
        }
        problems.push(`${part.written} names no tool that may be used here.`);
        return part.written;
      }
      case 'run':
        return this.promptTools.text(part, args, session, problems);
      case 'resource':
        return this.#resources(part, session, budget, problems);
    }
  }

  async #resources(
    { uri, written }: TemplatePart & { kind: 'resource' },
    session: Session,
    budget: Budget,
    problems: string[],
  ): Promise<string> {
    budget.lookups -= 1;
    if (budget.lookups < 0) {
      problems.push(`${written}: a prompt looks for resources at most ${MAX_LOOKUPS} times.`);
      return written;
    }
    const uris = uri.includes('*') ? await this.resources.matching(session.id, uri, MAX_RESOURCES) : [uri];
    if (uris.length === 0 && uri.startsWith('architecture://')) {
      problems.push(`${written} matches no document. ${CONFIGURE}`);
      return `[No document matches ${uri}. ${CONFIGURE}]`;
    }
    if (uris.length === 0) problems.push(`${written} matches no resource.`);
    const texts: string[] = [];
    for (const each of uris) {
      if (budget.resources <= 0) {
        problems.push(
          `${written}: a prompt takes in at most ${MAX_RESOURCES} resources; the rest was left out.`,
        );
        break;
      }
      const read = await this.resources.read(session.id, each);
      if (!read.success || !('text' in read.value)) {
        problems.push(`${written}: ${read.success ? `${each} is not text.` : read.error}`);
        continue;
      }
      if (read.value.text.length > budget.characters) {
        problems.push(`${written}: ${each} has no room; a prompt takes in at most 1 MiB.`);
        continue;
      }
      budget.resources -= 1;
      budget.characters -= read.value.text.length;
      texts.push(read.value.text);
    }
    return texts.length === 0 ? written : texts.join('\n\n');
  }
}
