import { phraseFor, stricterConsent } from '../consent/consent.js';
import type { Decision, DecisionRequest } from './decision.js';
import type { LayerPermit, StepSink } from './layer-decision.js';
import { stricterObligations } from './obligations.js';

export function stricterPermit(first: LayerPermit, second: LayerPermit): LayerPermit {
  return {
    effect: 'permit',
    rule: first.rule,
    consent: stricterConsent(first.consent, second.consent),
    obligations: stricterObligations(first.obligations, second.obligations),
  };
}

export function settle(
  permit: LayerPermit,
  request: DecisionRequest,
  policy: string,
  steps?: StepSink,
): Decision {
  const { rule, obligations } = permit;
  const { at: asking = rule, ...consent } = permit.consent;
  if (consent.mode === 'never') {
    steps?.({ check: 'consent', outcome: 'passed', policy, detail: 'No consent is needed.', rule });
    return { effect: 'allow', rule, obligations };
  }
  steps?.({
    check: 'consent',
    outcome: 'asks',
    policy,
    detail: `A person is asked (${consent.mode}).`,
    rule: asking,
  });
  const phrase = consent.phrase === undefined ? undefined : phraseFor(consent.phrase, request.arguments);
  return {
    effect: 'consent',
    reason: 'CONSENT_REQUIRED',
    rule: asking,
    consent: phrase === undefined ? consent : { ...consent, phrase },
    obligations,
  };
}
