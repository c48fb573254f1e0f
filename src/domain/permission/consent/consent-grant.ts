import type { PersonalWay } from './consent-way.js';

/**
 * How a person answered: a form in the client, a phrase typed there, an earlier answer that is remembered, or
 * a terminal.
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

/** An approval that can be used once, by the call it was given for. Times are in milliseconds since 1970. */
export class ConsentGrant {
  #used = false;

  constructor(
    readonly subject: ConsentSubject,
    readonly route: ConsentRoute,
    readonly expiresAt: number,
  ) {}

  /**
   * Marks it as used if it is valid. Check and mark are one step, so only one of several concurrent calls
   * succeeds.
   */
  consume(subject: ConsentSubject, now: number): 'granted' | GrantRefusal {
    if (this.#used) return 'used';
    if (now >= this.expiresAt) return 'expired';
    if (subject.policyHash !== this.subject.policyHash) return 'other-policy';
    if (subjectKey(subject) !== subjectKey(this.subject)) return 'other-call';
    this.#used = true;
    return 'granted';
  }
}

/** Unambiguous: no part can contain the separator. */
export function subjectKey(subject: ConsentSubject): string {
  const { callerId, sessionId, tool, argumentDigest, policyHash } = subject;
  return JSON.stringify([callerId, sessionId, tool, argumentDigest, policyHash]);
}
