import { inject, injectable } from 'inversify';
import { formatProblem } from '../../domain/file-problem.js';
import { LOCAL_STDIO } from '../../domain/session/caller.js';
import { ExplainPermissionHandler } from '../permission/explain-permission.js';
import { OpenQuestions, type PersonalAnswer } from '../permission/open-questions.js';
import { PolicySource } from '../ports/permission/policy-source.js';
import { ToolRegistry } from '../ports/tool/tool-registry.js';
import { type ServerPolicy, type ServerQuestions, shownQuestion, type TriedCall } from './operated-server.js';

/** What a person may ask and tell this server from outside of its clients. */
@injectable()
export class OperateServer {
  constructor(
    @inject(OpenQuestions) private readonly questions: OpenQuestions,
    @inject(PolicySource) private readonly policies: PolicySource,
    @inject(ToolRegistry) private readonly tools: ToolRegistry,
    @inject(ExplainPermissionHandler) private readonly explain: ExplainPermissionHandler,
  ) {}

  open(): ServerQuestions['questions'] {
    return this.questions.list().map(shownQuestion);
  }

  answer(id: string, answer: PersonalAnswer) {
    return this.questions.answer(id, answer);
  }

  policy(): ServerPolicy {
    const { policy, origin, hash, problems, warnings, notice } = this.policies.current();
    const tools = this.tools.listEnabled().map(({ tool }) => tool.name);
    return {
      origin,
      hash,
      problems: problems.map(formatProblem),
      warnings: warnings.map(formatProblem),
      ...(notice !== undefined && { notice }),
      roles: policy.grants(tools),
    };
  }

  /** As the program would be answered that started this server. */
  async tryCall(tool: string, args: Readonly<Record<string, unknown>>): Promise<TriedCall> {
    const explained = await this.explain.handle({ caller: LOCAL_STDIO, tool, arguments: args });
    const { effect, reason, rule, why, message, steps } = explained;
    return {
      effect,
      message,
      ...(reason !== undefined && { reason }),
      ...(rule !== undefined && { rule }),
      ...(why !== undefined && { why }),
      steps: steps.map(({ check, outcome, detail }) => ({ check, outcome, detail })),
    };
  }
}
