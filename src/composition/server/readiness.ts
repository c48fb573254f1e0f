import type { Container } from 'inversify';
import { AuditLog } from '../../application/ports/audit/audit-log.js';
import { SharedState } from '../../application/ports/system/shared-state.js';
import { instanceText, remedyForDifferences } from '../../application/session/instance-differences.js';
import { lackOfRoom } from '../../infrastructure/state/disk-room.js';
import type { Readiness } from '../../presentation/mcp/http/http-routes.js';
import { HttpSetup } from './http-setup.js';

/** What /readyz tells: not ready while calls cannot be recorded, or while the state that is shared is away. */
export async function serverReadiness(container: Container): Promise<Readiness> {
  const { ready, detail } = readinessOf(container.get(SharedState));
  const problem =
    container.get(AuditLog).problem?.() ?? (await lackOfRoom(container.get(HttpSetup).stateFolder));
  return problem === undefined
    ? { ready, detail }
    : { ready: false, detail: [`Calls are not recorded. ${problem}`, ...detail] };
}

/** Whether requests had better go to another instance, and what this one knows of the others. */
export function readinessOf(shared: SharedState): Readiness {
  const status = shared.status();
  switch (status.state) {
    case 'alone':
      return { ready: true, detail: [] };
    case 'joined': {
      const { instance, instances } = status;
      const remedy = remedyForDifferences(instances);
      const serving = `instance ${instance}; Redis answers; serving: ${instances.map(instanceText).join(', ')}`;
      return { ready: true, detail: remedy === undefined ? [serving] : [serving, remedy] };
    }
    case 'away':
    case 'refused':
      return { ready: false, detail: [`${status.why} (instance ${status.instance})`] };
  }
}
