import type { PersonalWay } from './consent-way.js';

/**
 * How a person's word came: a form in the client, a phrase typed there, a word given a while ago, or an answer in a
 * terminal.
 */
export type ConsentRoute = 'elicitation' | 'phrase' | 'remembered' | PersonalWay;

/** What a person agreed to: this caller, this tool, exactly these arguments, under this policy. */
export interface ConsentSubject {
  readonly callerId: string;
  readonly sessionId: string;
  readonly tool: string;
  readonly argumentDigest: string;
  readonly policyHash: string;
}

export type GrantRefusal = 'used' | 'expired' | 'other-call' | 'other-policy';

/** A yes that can be used once, by the call it was given for. Times are milliseconds since 1970. */
export class ConsentGrant {
  #used = false;

  constructor(
    readonly subject: ConsentSubject,
    readonly route: ConsentRoute,
    readonly expiresAt: number,
  ) {}

  /** Success marks it used, in the same step: of many who come at once, one gets it. */
  consume(subject: ConsentSubject, now: number): 'granted' | GrantRefusal {
    if (this.#used) return 'used';
    if (now >= this.expiresAt) return 'expired';
    if (subject.policyHash !== this.subject.policyHash) return 'other-policy';
    if (subjectKey(subject) !== subjectKey(this.subject)) return 'other-call';
    this.#used = true;
    return 'granted';
  }
}

/** Unambiguous: no member can contain what separates them. */
export function subjectKey(subject: ConsentSubject): string {
  const { callerId, sessionId, tool, argumentDigest, policyHash } = subject;
  return JSON.stringify([callerId, sessionId, tool, argumentDigest, policyHash]);
}
