import { tmpdir } from 'node:os';
import { type CallBudget, DEFAULT_BUDGET } from '../../src/application/call/call-budget.js';
import { CallJournal } from '../../src/application/call/pipeline/call-journal.js';
import { CallPipeline } from '../../src/application/call/pipeline/call-pipeline.js';
import {
  type ExecuteToolCommand,
  ExecuteToolHandler,
} from '../../src/application/call/pipeline/execute-tool.js';
import { ResolveTool } from '../../src/application/call/pipeline/resolve-tool.js';
import { ResourceJournal } from '../../src/application/call/pipeline/resource-journal.js';
import { RunTool } from '../../src/application/call/pipeline/run-tool.js';
import type { RunnableTool } from '../../src/application/call/runnable-tool.js';
import { ApprovedCalls } from '../../src/application/permission/approved-calls.js';
import { AuthoriseCall } from '../../src/application/permission/authorise-call.js';
import { CountDeletion } from '../../src/application/permission/count-deletion.js';
import { DecideCall } from '../../src/application/permission/decide-call.js';
import { elicitConsent } from '../../src/application/permission/elicit-consent.js';
import { ObtainConsentHandler } from '../../src/application/permission/obtain-consent.js';
import { OpenQuestions } from '../../src/application/permission/open-questions.js';
import type { Logger } from '../../src/application/ports/system/logger.js';
import type { Turns } from '../../src/application/ports/system/turns.js';
import { ResourceCatalogue } from '../../src/application/resource/resource-catalogue.js';
import { ListToolsHandler } from '../../src/application/tool/list-tools.js';
import { Toolsets } from '../../src/application/tool/toolsets.js';
import { Result } from '../../src/domain/result.js';
import { LOCAL_EMBEDDED } from '../../src/domain/session/caller.js';
import { Session } from '../../src/domain/session/session.js';
import { GuardedFileSystem } from '../../src/infrastructure/file/guarded-file-system.js';
import { CallObservers } from '../../src/infrastructure/observability/call-observers.js';
import { builtinRedactor } from '../../src/infrastructure/observability/redaction.js';
import { InMemoryConsentMemory } from '../../src/infrastructure/permission/in-memory-consent-memory.js';
import { InMemorySessionStore } from '../../src/infrastructure/session/in-memory-session-store.js';
import { ShellParser } from '../../src/infrastructure/shell/shell-parser.js';
import { EVENT_LOOP } from '../../src/infrastructure/system/immediate-turns.js';
import { sha256Digest } from '../../src/infrastructure/system/sha256-digest.js';
import { SystemTimer } from '../../src/infrastructure/system/system-timer.js';
import { CockatielBreakers } from '../../src/infrastructure/tool/cockatiel-breakers.js';
import { InMemoryCallGate } from '../../src/infrastructure/tool/in-memory-call-gate.js';
import { InMemoryRateLimits } from '../../src/infrastructure/tool/in-memory-rate-limits.js';
import { InMemoryToolRegistry } from '../../src/infrastructure/tool/in-memory-tool-registry.js';
import { InMemoryToolStatistics } from '../../src/infrastructure/tool/in-memory-tool-statistics.js';
import { InProcessToolSandbox } from '../../src/infrastructure/tool/in-process-tool-sandbox.js';
import { TypeboxInputValidator } from '../../src/infrastructure/tool/typebox-input-validator.js';
import {
  ManualClock,
  OpenPolicy,
  RecordingAuditLog,
  RecordingLogger,
  SequentialIds,
} from '../../src/testing/testing.js';
import { mustValue } from './sample-tool.js';

/** The handlers with the server's own adapters, in-memory time and a logger that remembers. */
export class Pipeline {
  readonly clock = new ManualClock();
  readonly logger = new RecordingLogger();
  readonly audit = new RecordingAuditLog();
  readonly policies = new OpenPolicy();
  readonly resources: ResourceCatalogue;
  readonly statistics = new InMemoryToolStatistics();
  readonly sessions = new InMemorySessionStore();
  readonly registry: InMemoryToolRegistry;
  readonly session = Session.create('s', LOCAL_EMBEDDED);
  readonly breakers: CockatielBreakers;
  readonly handler: ExecuteToolHandler;
  readonly #questions = new OpenQuestions(this.clock, new SequentialIds());
  readonly list: ListToolsHandler;

  constructor(
    tools: readonly RunnableTool[],
    budget: Partial<CallBudget> = {},
    prefix = '',
    turns: Turns = EVENT_LOOP,
  ) {
    this.registry = new InMemoryToolRegistry({ prefix });
    this.breakers = new CockatielBreakers(this.clock, this.logger);
    for (const tool of tools) mustValue(this.registry.register(tool));
    mustValue(this.session.initialize({ name: 'test', version: '1' }));
    this.sessions.add(this.session);
    const gate = new InMemoryCallGate(new InMemoryRateLimits(this.clock));
    const { audit, statistics, logger, clock } = this;
    const journal = new CallJournal(
      audit,
      statistics,
      logger,
      builtinRedactor,
      clock,
      new SequentialIds(),
      new CallObservers(),
    );
    const pipeline = new CallPipeline(
      new ResolveTool(this.registry),
      new TypeboxInputValidator({}, turns),
      this.policies,
      this.#permission(),
      new RunTool(gate, this.breakers, new InProcessToolSandbox(builtinRedactor), logger),
      journal,
      { ...DEFAULT_BUDGET, ...budget },
      new ApprovedCalls(this.#questions),
      turns,
      { open: async () => Result.ok(undefined) },
    );
    this.handler = new ExecuteToolHandler(pipeline, this.sessions);
    const sets = new Toolsets(this.registry, this.policies, { hasFlags: true }, { missing: undefined });
    this.list = new ListToolsHandler(this.sessions, this.registry, this.policies, { prefix }, sets);
    this.resources = new ResourceCatalogue(
      this.sessions,
      this.policies,
      new ResourceJournal(journal, this.policies),
      [],
    );
  }

  #permission(): AuthoriseCall {
    const parser = new ShellParser();
    return new AuthoriseCall(
      new DecideCall({ root: '/workspace' }, parser),
      new ObtainConsentHandler(
        this.clock,
        new SystemTimer(),
        new InMemoryConsentMemory(this.clock),
        elicitConsent,
        {
          via: ['client'],
          here: undefined,

          ready: async () => false,
          announce: () => undefined,
        },
        this.#questions,
      ),
      sha256Digest,
      builtinRedactor,
      this.clock,
      new CountDeletion(new GuardedFileSystem(tmpdir()), { root: '/workspace' }),
    );
  }

  call(toolName: string, args: unknown = {}, more: Partial<ExecuteToolCommand> = {}) {
    return this.handler.handle({ sessionId: 's', toolName, arguments: args, ...more });
  }
}

/** More calls than any rate or queue lets through would otherwise end in refusals. */
export const NO_LIMITS: Partial<CallBudget> = {
  concurrency: 100_000,
  rate: { limit: 1e9, perMs: 1, burst: 1e9 },
};

export function levelsOf(
  logger: Logger & { readonly records: readonly { level: string; message: string }[] },
) {
  return logger.records.map(({ level, message }) => `${level} ${message}`);
}
