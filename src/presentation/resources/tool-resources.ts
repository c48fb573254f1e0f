import { inject, injectable } from 'inversify';
import { PolicySource } from '../../application/ports/permission/policy-source.js';
import type { ResourceProvider } from '../../application/ports/resource/resource-provider.js';
import { ToolRegistry } from '../../application/ports/tool/tool-registry.js';
import { ToolDefinitions } from '../../application/tool/tool-definitions.js';
import type { ResourceContents, ResourceEntry, ResourceTemplate } from '../../domain/resource/resource.js';
import { Result } from '../../domain/result.js';
import type { Session } from '../../domain/session/session.js';
import type { Tool } from '../../domain/tool/tool.js';

const SCHEME = 'castellan://tools/';
const TEMPLATE = `${SCHEME}{name}`;
const MARKDOWN = 'text/markdown';

/** The full specification of each tool, whatever the description in tools/list leaves out. */
@injectable()
export class ToolResources implements ResourceProvider {
  constructor(
    @inject(ToolRegistry) private readonly tools: ToolRegistry,
    @inject(ToolDefinitions) private readonly definitions: ToolDefinitions,
    @inject(PolicySource) private readonly policies: PolicySource,
  ) {}

  async list(session: Session): Promise<readonly ResourceEntry[]> {
    return this.visible(session).map((tool) => ({
      uri: `${SCHEME}${tool.name}`,
      name: tool.name,
      title: `${tool.title}: specification`,
      mimeType: MARKDOWN,
      annotations: { audience: ['assistant'] },
    }));
  }

  templates(): readonly ResourceTemplate[] {
    return [{ uriTemplate: TEMPLATE, name: 'tool', title: 'Specification of a tool', mimeType: MARKDOWN }];
  }

  async read(uri: string, session: Session): Promise<Result<ResourceContents> | undefined> {
    if (!uri.startsWith(SCHEME)) return undefined;
    const tool = this.tools.get(uri.slice(SCHEME.length))?.tool;
    const definition = tool && this.definitions.of(tool);
    if (tool === undefined || definition === undefined || !this.canUse(session, tool)) {
      return Result.failure(
        `There is no tool of that name; tools/list shows the available ones.`,
        'NotFound',
      );
    }
    // Few ask for it, so a start does without its texts.
    const [{ specifyTool }, { policyLines }] = await Promise.all([
      import('../docs/specification/tool-specification.js'),
      import('../docs/specification/policy-lines.js'),
    ]);
    const lines = policyLines(this.policies.current().policy, definition);
    return Result.ok({ uri, mimeType: MARKDOWN, text: specifyTool(definition, lines) });
  }

  async complete(
    template: string,
    _variable: string,
    typed: string,
    session: Session,
  ): Promise<readonly string[]> {
    if (template !== TEMPLATE) return [];
    return this.visible(session)
      .map(({ name }) => name)
      .filter((name) => name.startsWith(typed));
  }

  private visible(session: Session): readonly Tool[] {
    return this.tools
      .listEnabled()
      .map(({ tool }) => tool)
      .filter((tool) => this.definitions.of(tool) !== undefined && this.canUse(session, tool));
  }

  /** As in tools/list. */
  private canUse(session: Session, { name }: Tool): boolean {
    return session.canSee(name) && this.policies.current().policy.couldAllow(session.caller, name);
  }
}
