import type { Container } from 'inversify';
import { BackgroundProcesses } from '../../application/command/background/background-processes.js';
import { RunningCommands } from '../../application/command/running-commands.js';
import { CallObserver } from '../../application/ports/system/call-observer.js';
import { CallGate } from '../../application/ports/tool/call-gate.js';
import { CircuitBreakers } from '../../application/ports/tool/circuit-breakers.js';
import { Modern2026 } from '../../presentation/mcp/modern-2026/modern-2026.js';
import { Session2025Connections } from '../../presentation/mcp/session-2025/session-2025-connections.js';
import type { ServedWorkspace, WorkspaceServer } from './principal-workspaces.js';

/** What serves the clients of a container's workspace. */
export function servedBy(container: Container): ServedWorkspace {
  return {
    connections: container.get(Session2025Connections),
    modern: container.get(Modern2026),
    observer: container.get(CallObserver),
    gauges: () => ({
      breakers: container.get(CircuitBreakers),
      sandboxStarts: container.get(RunningCommands).started,
      ...(container.get(CallGate).load?.() ?? { running: 0, waiting: 0 }),
    }),
  };
}

/** The same for the workspace of a principal, which is closed when nobody uses it. */
export function serverOf(container: Container, close: () => Promise<void>): WorkspaceServer {
  return { ...servedBy(container), isUsed: () => isUsed(container), close };
}

function isUsed(container: Container): boolean {
  const { connections, modern, gauges } = servedBy(container);
  const { running, waiting } = gauges();
  const open = connections.size + modern.underWay + running + waiting;
  return open > 0 || container.get(BackgroundProcesses).anyRuns;
}
