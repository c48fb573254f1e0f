import type { SharedState } from '../../application/ports/system/shared-state.js';
import { instanceText, remedyForDifferences } from '../../application/session/instance-differences.js';
import type { Readiness } from '../../presentation/mcp/http/http-routes.js';

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
