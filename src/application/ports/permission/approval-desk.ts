import type { ServiceIdentifier } from 'inversify';
import type { ConsentWay } from '../../../domain/permission/consent/consent-way.js';
import type { ConsentForm, ConsentPrompt } from './consent-prompt.js';

/** The ways to ask outside the client, and the order of all ways. */
export interface ApprovalDesk {
  /** The first available one is used. */
  readonly via: readonly ConsentWay[];
  /** Asks in the terminal that this process was started from; undefined if there is none. */
  readonly here: ConsentPrompt | undefined;
  /** Returns true if a person can answer open questions now: a PIN is set, and this server can be reached. */
  ready(): Promise<boolean>;
  /** Notifies the person that a question is waiting. Never fails and never waits. */
  announce(form: ConsentForm): void;
}

export const ApprovalDesk: ServiceIdentifier<ApprovalDesk> = Symbol.for('castellan.ApprovalDesk');
