import type { ReasonCode } from '../../../tool/tool-error.js';
import type { DecisionRequest, Denial } from '../decision.js';
import { decideLayer } from '../layer-decision.js';
import type { PolicyLayer } from '../policy-layer.js';
import { suggestAdditions } from './addition.js';
import { missingAdditions } from './missing-additions.js';

/** Refusals that an entry of `also_allow` may lift. */
const BY_SILENCE: ReadonlySet<ReasonCode> = new Set(['NO_ALLOW', 'PROTECTED', 'ARGUMENT', 'SHELL_SYNTAX']);
/** Of these, refusals whose message already says what to write instead. */
const SELF_EXPLAINING: ReadonlySet<ReasonCode> = new Set(['ARGUMENT', 'SHELL_SYNTAX']);

/**
 * The lines added to a refusal's hint that would allow exactly this call. None if another layer would still
 * refuse it.
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
