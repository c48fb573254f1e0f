import { normaliseToolName } from '../../tool/tool-name.js';
import type { PolicyLayer } from '../policy/policy-layer.js';
import { type ConsentTerms, stricterConsent } from './consent.js';

const DELETE_PATH = normaliseToolName('delete_path');

/** A command must not bypass a consent that the policy requires for deletions. */
export function consentToDelete(layer: PolicyLayer, consent: ConsentTerms): ConsentTerms {
  const rules = layer.tools.get(DELETE_PATH);
  if (rules === undefined) return consent;
  // A phrase with the arguments of delete_path makes no sense here.
  const { mode, rememberMs, expiresMs, via } = rules.consent;
  const terms: ConsentTerms = {
    mode: mode === 'explicit' ? 'always' : mode,
    askedBy: rules.tool,
    ...(rememberMs !== undefined && { rememberMs }),
    ...(expiresMs !== undefined && { expiresMs }),
    ...(via !== undefined && { via }),
  };
  return stricterConsent(consent, terms);
}
