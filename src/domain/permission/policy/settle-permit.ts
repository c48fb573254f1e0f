import { phraseFor, stricterConsent } from '../consent/consent.js';
import { type Decision, type DecisionRequest, deny } from './decision.js';
import type { LayerPermit, StepSink } from './layer-decision.js';
import { stricterObligations } from './obligations.js';

export function stricterPermit(first: LayerPermit, second: LayerPermit): LayerPermit {
  const opens = [...(first.opens ?? []), ...(second.opens ?? [])];
  return {
    effect: 'permit',
    ...(opens.length > 0 && { opens: [...new Set(opens)] }),
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
  const { rule, obligations, opens } = permit;
  const { at: asking = rule, mode, ...consent } = permit.consent;
  if (mode === 'never') {
    steps?.({ check: 'consent', outcome: 'passed', policy, detail: 'No consent is needed.', rule });
    return { effect: 'allow', rule, obligations };
  }
  if (mode === 'deny') {
    const { tool } = request;
    const detail = `consent: deny at ${consent.askedBy ?? tool} refuses the call in place of asking a person.`;
    steps?.({ check: 'consent', outcome: 'refused', policy, detail, rule: asking });
    return deny('CONSENT_UNAVAILABLE', { kind: 'tool', text: tool }, detail, NOBODY_ASKED, asking);
  }
  steps?.({
    check: 'consent',
    outcome: 'asks',
    policy,
    detail: `A person is asked (${mode}).`,
    rule: asking,
  });
  const phrase = consent.phrase === undefined ? undefined : phraseFor(consent.phrase, request.arguments);
  return {
    effect: 'consent',
    reason: 'CONSENT_REQUIRED',
    rule: asking,
    consent: phrase === undefined ? { ...consent, mode } : { ...consent, mode, phrase },
    obligations,
    ...(opens && { opens }),
  };
}

const NOBODY_ASKED =
  'Here nobody is asked: the policy refuses this call in place of asking a person (consent: deny). Do the work without it, or leave it to the user.';
