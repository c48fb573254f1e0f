import type { Obligations } from '../../src/domain/permission/policy/obligations.js';

/** Of a policy that says nothing about how a call runs. */
export const SILENT_OBLIGATIONS: Obligations = {
  limits: {},
  timeoutNamed: false,
  sandbox: undefined,
  sandboxUnavailable: 'deny',
  network: 'none',
  env: { pass: [], set: {}, accept: [] },
  consentUnavailable: 'deny',
  auditRequired: false,
  auditArguments: 'hashed',
  redactResults: false,
};
