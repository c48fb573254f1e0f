import { inject, injectable, type ServiceIdentifier } from 'inversify';
import { Result } from '../../domain/result.js';
import type { Session } from '../../domain/session/session.js';
import type { Tool } from '../../domain/tool/tool.js';
import { executionFailed, type ToolError, toolFailure } from '../../domain/tool/tool-error.js';
import { TOOLSET_PURPOSE, TOOLSETS, type Toolset } from '../../domain/tool/toolset.js';
import { PolicySource } from '../ports/permission/policy-source.js';
import { ToolRegistry } from '../ports/tool/tool-registry.js';

/** The sets that are shown to a session which has not asked for others. */
export type ShownToolsets = ReadonlySet<Toolset>;

export const ShownToolsets: ServiceIdentifier<ShownToolsets> = Symbol.for('castellan.ShownToolsets');

/** The tool that adds a set; it is shown as long as there is one to add. */
export const ENABLE_TOOLSET = 'enable_toolset';

export interface ToolsetLine {
  readonly set: Toolset;
  readonly purpose: string;
  readonly tools: readonly string[];
}

/**
 * Which tools are shown to a session. It is about what a list costs and no boundary: a tool of a set that is not shown
 * answers when it is called. What must not be used, the policy and `tools.exclude` keep away.
 */
@injectable()
export class Toolsets {
  constructor(
    @inject(ToolRegistry) private readonly registry: ToolRegistry,
    @inject(PolicySource) private readonly policies: PolicySource,
    @inject(ShownToolsets) private readonly shown: ShownToolsets,
  ) {}

  shows(session: Session, { toolset, name }: Tool): boolean {
    if (name === ENABLE_TOOLSET) return this.hidden(session).length > 0;
    return toolset === undefined || this.#showsSet(session, toolset);
  }

  /** Sets that have something to add for this caller. */
  hidden(session: Session): readonly ToolsetLine[] {
    return TOOLSETS.filter((set) => !this.#showsSet(session, set)).flatMap((set) => this.#line(session, set));
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

  #line(session: Session, set: Toolset): readonly ToolsetLine[] {
    const { policy } = this.policies.current();
    const tools = this.registry
      .listEnabled()
      .filter(({ tool }) => tool.toolset === set)
      .filter(({ tool }) => session.canSee(tool.name) && policy.couldAllow(session.caller, tool.name))
      .map(({ tool }) => tool.name);
    return tools.length === 0 ? [] : [{ set, purpose: TOOLSET_PURPOSE[set], tools }];
  }

  #showsSet(session: Session, set: Toolset): boolean {
    // Who embeds the server pays for no list.
    if (session.caller.transport === 'embedded' || session.hasToolset(set)) return true;
    if (session.choseToolsets) return false;
    return this.shown.has(set) || (set === 'ai' && session.client?.sampling === true);
  }
}
