import { inject, injectable } from 'inversify';
import { stricterObligations } from '../../domain/permission/obligations.js';
import { Result } from '../../domain/result.js';
import { consentRequired, type ToolError, toolFailure, toolNotFound } from '../../domain/tool/tool-error.js';
import { CallAuthoriser } from '../permission/call-authoriser.js';
import { denialError } from '../permission/denial-error.js';
import { InputValidator } from '../ports/input-validator.js';
import type { CallGrant } from './call-grant.js';
import { FindTool } from './find-tool.js';
import type { ArgumentValues, RunnableTool, ToolOutcome } from './runnable-tool.js';
import type { ToolContext } from './tool-context.js';

/**
 * The bare functions behind the tools, for code that already serves a granted call: no prefix, no log of its
 * own, the arguments and the context that every tool gets. What was granted to the one tool says nothing about
 * the other: the policy of the call is asked again, about this tool and what it is about to do.
 */
@injectable()
export class ToolImplementations {
  readonly #tools = new Map<string, RunnableTool>();

  constructor(
    @inject(FindTool) private readonly finder: FindTool,
    @inject(InputValidator) private readonly validator: InputValidator,
    @inject(CallAuthoriser) private readonly authoriser: CallAuthoriser,
  ) {}

  add(tool: RunnableTool): void {
    this.#tools.set(tool.tool.name, tool);
  }

  async run(name: string, args: ArgumentValues, context: ToolContext): Promise<ToolOutcome> {
    const found = this.finder.find(context.session.id, name, context.grant.policy);
    if (!found.success) return found;
    const bare = this.#tools.get(found.value.tool.tool.name);
    if (bare === undefined) return toolFailure(toolNotFound(name.slice(0, 100)));
    const checked = await this.validator.check(bare.tool, args);
    if (!checked.success) return checked;
    const grant = await this.#grant(bare, checked.value, context);
    return grant.success ? bare.run(checked.value, withGrant(context, grant.value)) : grant;
  }

  /** Never more than the outer call has. Nobody is asked: a person consents to calls that a client makes. */
  async #grant(
    bare: RunnableTool,
    args: ArgumentValues,
    { caller, grant: { policy, obligations } }: ToolContext,
  ): Promise<Result<CallGrant, ToolError>> {
    const requests = bare.permissions(args);
    if (requests.some(({ kind }) => kind === 'run-command')) await this.authoriser.load();
    const { name } = bare.tool;
    const decision = this.authoriser.authorise(policy, { caller, tool: name, arguments: args, requests });
    switch (decision.effect) {
      case 'allow':
        return Result.ok({
          policy,
          view: policy.viewFor(name),
          obligations: stricterObligations(obligations, decision.obligations),
        });
      case 'deny':
        return toolFailure(denialError(decision, name));
      case 'consent':
        return toolFailure(
          consentRequired('CONSENT_REQUIRED', `A person must consent to ${name}. Call it directly to ask.`),
        );
    }
  }
}

function withGrant(context: ToolContext, grant: CallGrant): ToolContext {
  const { signal, session, caller, correlationId, meta, workflow } = context;
  return {
    signal,
    session,
    caller,
    correlationId,
    meta,
    workflow,
    grant,
    log: (level, data) => context.log(level, data),
    progress: (done, total, message) => context.progress(done, total, message),
    elicit: (request, until) => context.elicit(request, until),
    sample: (request, until) => context.sample(request, until),
  };
}
