import type { ConsentReason } from '../../domain/tool/tool-error.js';

export type ConsentRefusal =
  | 'declined'
  | 'cancelled'
  | 'timed-out'
  | 'wrong-phrase'
  | 'too-many-questions'
  | 'pending'
  | 'unavailable';

export interface RefusedConsent {
  readonly kind: 'refused';
  readonly why: ConsentRefusal;
  readonly reason: ConsentReason;
  readonly message: string;
  /** The question that is still open. */
  readonly approval?: string;
}

const MESSAGES: Readonly<Record<Exclude<ConsentRefusal, 'pending'>, string>> = {
  declined: 'The person declined. Do not ask again for the same; find another way or ask what they want.',
  cancelled: 'The question was dismissed without an answer. Ask the user before trying again.',
  'timed-out': 'The user did not answer within 50 s. Ask them to watch for the question, then try again.',
  'wrong-phrase': 'The typed phrase does not match. Nothing was done.',
  'too-many-questions': 'Other questions are still waiting for an answer. Wait for them, then try again.',
  unavailable:
    "This call needs the user's approval, and this client cannot ask for it (no elicitation). Use a client that can, " +
    'or ask the user to do it.',
};

export function refused(why: Exclude<ConsentRefusal, 'pending' | 'unavailable'>): RefusedConsent {
  return { kind: 'refused', why, reason: 'CONSENT_REQUIRED', message: MESSAGES[why] };
}

/** With the person's own reason, if given. */
export function declined(reason: string | undefined): RefusedConsent {
  const said = refused('declined');
  if (reason === undefined) return said;
  return {
    ...said,
    message: `The person declined and said: ${JSON.stringify(reason)}. Do not ask again for the same.`,
  };
}

/** Nobody has answered yet; the question stays open. */
export function pending(tool: string, approval: string): RefusedConsent {
  return {
    kind: 'refused',
    why: 'pending',
    reason: 'CONSENT_PENDING',
    approval,
    message:
      `Nothing was done yet: ${tool} waits for the user's approval. Tell the user to run \`castellan approve\` in a ` +
      `terminal and to answer ${approval} within 10 minutes. When they say that they have, call ${tool} again with the same arguments, or with {"approval":"${approval}"} alone.`,
  };
}

/** Names the key that decides; the rule that asks may also be in a list. */
export function unavailable(tool: string, personal: boolean): RefusedConsent {
  const pin = personal
    ? ' Without such a client: the user sets a PIN once with `castellan approve --set-pin`, and answers with `castellan approve`.'
    : '';
  return {
    kind: 'refused',
    why: 'unavailable',
    reason: 'CONSENT_UNAVAILABLE',
    message: `${MESSAGES.unavailable}${pin} The user can also change \`consent\` of ${tool} in the policy, or of the rule that castellan policy explain names.`,
  };
}
