import type { InstanceFacts } from '../ports/system/shared-state.js';

/** Beyond this difference, times of one instance are misleading at another. */
const MAX_SKEW_MS = 2000;

/** What to do about instances that differ; undefined if they do not. */
export function remedyForDifferences(
  instances: readonly Pick<InstanceFacts, 'version' | 'skewMs'>[],
): string | undefined {
  if (instances.some(({ skewMs }) => Math.abs(skewMs) > MAX_SKEW_MS))
    return 'Synchronise the clocks of all machines with NTP.';
  if (new Set(instances.map(({ version }) => version)).size > 1)
    return 'Run the same version on all instances after the upgrade.';
  return undefined;
}

/** One instance in a list. */
export function instanceText({ instance, version, skewMs }: InstanceFacts): string {
  return `${instance} ${version} ${skewMs} ms`;
}
