import { inject, injectable, type ServiceIdentifier } from 'inversify';
import { Result } from '../../domain/result.js';
import type { Session } from '../../domain/session/session.js';
import type { Tool } from '../../domain/tool/tool.js';
import { executionFailed, type ToolError, toolFailure } from '../../domain/tool/tool-error.js';
import { TOOLSET_PURPOSE, TOOLSETS, type ToolRequirement, type Toolset } from '../../domain/tool/toolset.js';
import { LanguageModel } from '../ports/model/language-model.js';
import { PolicySource } from '../ports/permission/policy-source.js';
import { ToolRegistry } from '../ports/tool/tool-registry.js';

/** What is listed in a session that did not ask for other sets. */
export interface ShownToolsets {
  /** The sets to which a setting limits the list (default: every tool that has what it requires). */
  readonly chosen?: ReadonlySet<Toolset>;
  /**
   * Whether the workspace had flags at the start. A list stays the same while the server runs, because
   * clients cache it.
   */
  readonly hasFlags: boolean;
}

export const ShownToolsets: ServiceIdentifier<ShownToolsets> = Symbol.for('castellan.ShownToolsets');

const NO_SETS: ReadonlySet<Toolset> = new Set();

/** The tool that adds a set; listed as long as a setting or the client excludes one. */
export const ENABLE_TOOLSET = 'enable_toolset';

export interface ToolsetLine {
  readonly set: Toolset;
  readonly purpose: string;
  readonly tools: readonly string[];
}

/**
 * Which tools are listed in a session: all that have what they require, unless a setting or the client limits
 * them. This saves tokens and is no security boundary: a tool that is not listed still works if it is called.
 * To remove tools, use the policy or `tools.exclude`.
 */
@injectable()
export class Toolsets {
  constructor(
    @inject(ToolRegistry) private readonly registry: ToolRegistry,
    @inject(PolicySource) private readonly policies: PolicySource,
    @inject(ShownToolsets) private readonly shown: ShownToolsets,
    @inject(LanguageModel) private readonly model: Pick<LanguageModel, 'missing'>,
  ) {}

  /** Returns a function that tells which tools are listed to the session. */
  shownTo(session: Session): (tool: Tool) => boolean {
    // An embedding program pays no tokens for the list.
    if (session.caller.transport === 'embedded') return ({ name }) => name !== ENABLE_TOOLSET;
    const sets = this.#chosenSets(session);
    return (tool) => {
      if (tool.name === ENABLE_TOOLSET) return sets !== undefined && this.hidden(session).length > 0;
      if (sets === undefined && tool.requires === undefined) return true;
      if (tool.toolset !== undefined && session.hasToolset(tool.toolset)) return true;
      if (sets !== undefined) return tool.toolset === undefined || sets.has(tool.toolset);
      return tool.requires === undefined || this.#has(session, tool.requires);
    };
  }

  /** Sets that would add tools for this caller. */
  hidden(session: Session): readonly ToolsetLine[] {
    const isShown = this.shownTo(session);
    return TOOLSETS.flatMap((set) => this.#line(session, set, (tool) => !isShown(tool)));
  }

  enable(session: Session, set: Toolset): Result<ToolsetLine, ToolError> {
    const [line] = this.#line(session, set);
    if (line === undefined) {
      const there = this.hidden(session).map((hidden) => hidden.set);
      const others = there.length === 0 ? 'None is left to add.' : `There are: ${there.join(', ')}.`;
      return toolFailure(
        executionFailed(`There are no tools in the set ${set} here. ${others}`, { type: 'NotFoundError' }),
      );
    }
    session.addToolset(set);
    return Result.ok(line);
  }

  #line(
    session: Session,
    set: Toolset,
    counts: (tool: Tool) => boolean = () => true,
  ): readonly ToolsetLine[] {
    const { policy } = this.policies.current();
    const tools = this.registry
      .listEnabled()
      .filter(({ tool }) => tool.toolset === set && tool.name !== ENABLE_TOOLSET && counts(tool))
      .filter(({ tool }) => session.canSee(tool.name) && policy.couldAllow(session.caller, tool.name))
      .map(({ tool }) => tool.name);
    return tools.length === 0 ? [] : [{ set, purpose: TOOLSET_PURPOSE[set], tools }];
  }

  /** undefined: nothing limits the list. What the client itself chose or added is stored with its session. */
  #chosenSets(session: Session): ReadonlySet<Toolset> | undefined {
    return session.choseToolsets ? NO_SETS : this.shown.chosen;
  }

  #has(session: Session, requirement: ToolRequirement): boolean {
    switch (requirement) {
      case 'flags':
        return this.shown.hasFlags;
      case 'model':
        return this.model.missing === undefined || session.client?.sampling === true;
    }
  }
}
