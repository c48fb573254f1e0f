import { ConsumedStates } from '../../application/ports/session/consumed-states.js';
import { InstanceLink } from '../../application/ports/session/instance-link.js';
import { SessionDirectory } from '../../application/ports/session/session-directory.js';
import { SessionStore } from '../../application/ports/session/session-store.js';
import { WorkflowStore } from '../../application/ports/session/workflow-store.js';
import { SharedState } from '../../application/ports/system/shared-state.js';
import { CallerSessions } from '../../application/session/caller-sessions.js';
import { ExecuteInWorkflow } from '../../application/session/execute-in-workflow.js';
import { Sessions } from '../../application/session/sessions.js';
import { WorkflowContexts } from '../../application/session/workflow-contexts.js';
import { InMemoryConsumedStates } from '../../infrastructure/session/in-memory-consumed-states.js';
import { InMemorySessionDirectory } from '../../infrastructure/session/in-memory-session-directory.js';
import { InMemorySessionStore } from '../../infrastructure/session/in-memory-session-store.js';
import { InMemoryWorkflowStore } from '../../infrastructure/session/in-memory-workflow-store.js';
import { InProcessInstanceLink } from '../../infrastructure/session/in-process-instance-link.js';
import { UnsharedState } from '../../infrastructure/session/unshared-state.js';
import { bindStage } from '../server/lifecycle.js';
import { type Bind, bindSelves } from './concept-module.js';

/** Who calls, what belongs to each of them, and what instances tell each other. */
export function sessionModule(bind: Bind): void {
  bind(SessionStore).to(InMemorySessionStore).inSingletonScope();
  bind(ConsumedStates).to(InMemoryConsumedStates).inSingletonScope();
  bind(SessionDirectory).to(InMemorySessionDirectory).inSingletonScope();
  bind(InstanceLink).to(InProcessInstanceLink).inSingletonScope();
  bind(SharedState).toConstantValue(new UnsharedState());
  bind(WorkflowStore).to(InMemoryWorkflowStore).inSingletonScope();
  bindSelves(bind, CallerSessions, ExecuteInWorkflow, Sessions, WorkflowContexts);
  bindStage(bind, 'sessions', { end: (server) => server.get(CallerSessions).endAll() });
  bindStage(bind, 'shared state', { end: (server) => server.get(SharedState).close() });
}
