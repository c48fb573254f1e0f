import type { ServiceIdentifier } from 'inversify';
import type { ConsentWay } from '../../../domain/permission/consent/consent-way.js';
import type { ConsentForm, ConsentPrompt } from './consent-prompt.js';

/** The ways to ask that do not pass through the client, and the order of all. */
export interface ApprovalDesk {
  /** The first that is there is used. */
  readonly via: readonly ConsentWay[];
  /** Asks in the terminal that this very process was started from; undefined: nobody sits there. */
  readonly here: ConsentPrompt | undefined;
  /** Whether a person can answer open questions now: a PIN is set, and this server can be reached. */
  ready(): Promise<boolean>;
  /** Tells the person that a question waits. Never fails and never waits. */
  announce(form: ConsentForm): void;
}

export const ApprovalDesk: ServiceIdentifier<ApprovalDesk> = Symbol.for('castellan.ApprovalDesk');
