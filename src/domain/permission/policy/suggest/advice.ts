import type { ReasonCode } from '../../../tool/tool-error.js';
import type { DecisionRequest, Denial } from '../decision.js';
import { decideLayer } from '../layer-decision.js';
import type { PolicyLayer } from '../policy-layer.js';
import { suggestAdditions } from './addition.js';
import { missingAdditions } from './missing-additions.js';

/** Refusals that an entry of `also_allow` may lift. */
const BY_SILENCE: ReadonlySet<ReasonCode> = new Set(['NO_ALLOW', 'PROTECTED', 'ARGUMENT', 'SHELL_SYNTAX']);
/** Of these, the ones whose own words already say what to write instead. */
const SELF_EXPLAINING: ReadonlySet<ReasonCode> = new Set(['ARGUMENT', 'SHELL_SYNTAX']);

/**
 * What a refusal adds to its hint: the lines that would allow exactly this call. None are given if another layer
 * would refuse it all the same, because then they change nothing.
 */
export function adviceOn(
  [base, ...ceilings]: readonly PolicyLayer[],
  { reason, isFinal }: Denial,
  request: DecisionRequest,
): string {
  if (base === undefined || isFinal || !BY_SILENCE.has(reason)) return '';
  // A line that names a path of /tmp would open the machine's.
  if (request.requests.some((part) => 'inOwnTmp' in part)) return '';
  const isOnlyBase = ceilings.every((ceiling) => decideLayer(ceiling, request).effect === 'permit');
  const additions = isOnlyBase ? missingAdditions(base, request) : undefined;
  if (additions === undefined && SELF_EXPLAINING.has(reason)) return '';
  return suggestAdditions(additions, { listed: base.hasAdditions === true });
}
