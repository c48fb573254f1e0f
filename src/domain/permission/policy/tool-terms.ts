import { stricterConsent } from '../consent/consent.js';
import { stricterObligations } from './obligations.js';
import type { ToolRules } from './policy-layer.js';

/** The terms of every call of a tool, whatever its arguments. */
export type ToolTerms = Pick<ToolRules, 'consent' | 'obligations'>;

/** The terms of all layers combined; undefined if one of them has no entry for the tool. */
export function strictestTerms(layers: readonly (ToolTerms | undefined)[]): ToolTerms | undefined {
  const terms = layers.flatMap((entry) => entry ?? []);
  if (terms.length < layers.length) return undefined;
  return terms.reduce((first, second) => ({
    consent: stricterConsent(first.consent, second.consent),
    obligations: stricterObligations(first.obligations, second.obligations),
  }));
}
