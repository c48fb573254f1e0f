import type { InstanceFacts } from '../ports/system/shared-state.js';

/** Beyond this difference, times of one instance are misleading at another. */
const MAX_SKEW_MS = 2000;

/** What to do about instances that differ; undefined if they do not. */
export function remedyForDifferences(
  instances: readonly Pick<InstanceFacts, 'version' | 'skewMs'>[],
): string | undefined {
  if (instances.some(({ skewMs }) => Math.abs(skewMs) > MAX_SKEW_MS))
    return 'Set the clocks of all machines with NTP.';
  if (new Set(instances.map(({ version }) => version)).size > 1)
    return 'Bring all instances to one version when the upgrade is done.';
  return undefined;
}

/** One instance in a list. */
export function instanceText({ instance, version, skewMs }: InstanceFacts): string {
  return `${instance} ${version} ${skewMs} ms`;
}
