import { BaseBudget, DEFAULT_BUDGET } from '../../application/call/call-budget.js';
import { CallJournal } from '../../application/call/pipeline/call-journal.js';
import { CallPipeline } from '../../application/call/pipeline/call-pipeline.js';
import { ExecuteToolHandler } from '../../application/call/pipeline/execute-tool.js';
import { JudgeCallHandler } from '../../application/call/pipeline/judge-call.js';
import { OpenOwnTmp } from '../../application/call/pipeline/open-own-tmp.js';
import { ResolveTool } from '../../application/call/pipeline/resolve-tool.js';
import { ResourceJournal } from '../../application/call/pipeline/resource-journal.js';
import { RunTool } from '../../application/call/pipeline/run-tool.js';
import { ToolImplementations } from '../../application/call/pipeline/tool-implementations.js';
import { CallObserver } from '../../application/ports/system/call-observer.js';
import { Logger } from '../../application/ports/system/logger.js';
import { CallGate } from '../../application/ports/tool/call-gate.js';
import { CircuitBreakers } from '../../application/ports/tool/circuit-breakers.js';
import { InputValidator } from '../../application/ports/tool/input-validator.js';
import { RateLimits } from '../../application/ports/tool/rate-limits.js';
import { ToolSandbox } from '../../application/ports/tool/tool-sandbox.js';
import { CallObservers } from '../../infrastructure/observability/call-observers.js';
import { requestLog } from '../../infrastructure/observability/request-log.js';
import { CockatielBreakers } from '../../infrastructure/tool/cockatiel-breakers.js';
import { InMemoryCallGate } from '../../infrastructure/tool/in-memory-call-gate.js';
import { InMemoryRateLimits } from '../../infrastructure/tool/in-memory-rate-limits.js';
import { InProcessToolSandbox } from '../../infrastructure/tool/in-process-tool-sandbox.js';
import { TypeboxInputValidator } from '../../infrastructure/tool/typebox-input-validator.js';
import { type Bind, bindSelves, type ServerParts } from './concept-module.js';

/** The way of a call, and what bounds it. */
export function callModule(bind: Bind, { configuration, options }: ServerParts): void {
  bind(BaseBudget).toConstantValue({ ...DEFAULT_BUDGET, ...options.budget });
  bind(InputValidator).to(TypeboxInputValidator).inSingletonScope();
  bind(RateLimits).to(InMemoryRateLimits).inSingletonScope();
  bind(CallGate).to(InMemoryCallGate).inSingletonScope();
  bind(CircuitBreakers).to(CockatielBreakers).inSingletonScope();
  bind(ToolSandbox).to(InProcessToolSandbox).inSingletonScope();
  bind(CallObserver)
    .toResolvedValue(
      (logger) => {
        const observers = new CallObservers();
        if (configuration.settings.log.requests) observers.watch(requestLog(logger));
        return observers;
      },
      [Logger],
    )
    .inSingletonScope();
  bindSelves(bind, ResolveTool, RunTool, CallJournal, CallPipeline, OpenOwnTmp);
  bindSelves(bind, ExecuteToolHandler, JudgeCallHandler, ResourceJournal, ToolImplementations);
}
