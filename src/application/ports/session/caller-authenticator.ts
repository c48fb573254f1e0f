import type { ServiceIdentifier } from 'inversify';
import type { Caller } from '../../../domain/session/caller.js';

export type Authentication =
  | { readonly kind: 'caller'; readonly caller: Caller }
  /** Missing or invalid credentials: `why` may be shown to the caller. */
  | { readonly kind: 'refused'; readonly why: string; readonly given: boolean }
  /** Valid credentials that lack these scopes. */
  | { readonly kind: 'insufficient'; readonly scopes: readonly string[] }
  /** They cannot be checked now. */
  | { readonly kind: 'unavailable'; readonly why: string };

/** Identifies an HTTP caller. */
export interface CallerAuthenticator {
  /** `authorization`: the header, unchanged. */
  authenticate(authorization: string | undefined): Authentication | Promise<Authentication>;
}

export const CallerAuthenticator: ServiceIdentifier<CallerAuthenticator> = Symbol.for(
  'castellan.CallerAuthenticator',
);
