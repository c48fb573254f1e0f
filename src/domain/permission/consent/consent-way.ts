/** Where a person is asked: in the client, or in a terminal. */
export const CONSENT_WAYS = ['client', 'terminal'] as const;

export type ConsentWay = (typeof CONSENT_WAYS)[number];

/** Ways that do not involve the client: the person authenticates with a PIN. */
export type PersonalWay = Exclude<ConsentWay, 'client'>;

export function isPersonal(way: ConsentWay): way is PersonalWay {
  return way !== 'client';
}

/** The ways that both lists contain, in the order of the first. A missing list allows all. */
export function commonWays<Way extends ConsentWay>(
  first: readonly Way[],
  second: readonly ConsentWay[] | undefined,
): readonly Way[] {
  return second === undefined ? first : first.filter((way) => second.includes(way));
}
