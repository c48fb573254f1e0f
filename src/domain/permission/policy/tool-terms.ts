import { stricterConsent } from '../consent/consent.js';
import { stricterObligations } from './obligations.js';
import type { ToolRules } from './policy-layer.js';

/** What each call of a tool is held to, whatever its arguments add. */
export type ToolTerms = Pick<ToolRules, 'consent' | 'obligations'>;

/** Those of all layers together; undefined: one of them has no entry for the tool. */
export function strictestTerms(layers: readonly (ToolTerms | undefined)[]): ToolTerms | undefined {
  const terms = layers.flatMap((entry) => entry ?? []);
  if (terms.length < layers.length) return undefined;
  return terms.reduce((first, second) => ({
    consent: stricterConsent(first.consent, second.consent),
    obligations: stricterObligations(first.obligations, second.obligations),
  }));
}
