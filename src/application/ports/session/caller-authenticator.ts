import type { ServiceIdentifier } from 'inversify';
import type { Caller } from '../../../domain/session/caller.js';

export type Authentication =
  | { readonly kind: 'caller'; readonly caller: Caller }
  /** No credentials, or wrong ones: `why` may be told to the caller. */
  | { readonly kind: 'refused'; readonly why: string; readonly given: boolean }
  /** Good credentials that lack these scopes. */
  | { readonly kind: 'insufficient'; readonly scopes: readonly string[] }
  /** They cannot be checked now. */
  | { readonly kind: 'unavailable'; readonly why: string };

/** Finds out who an HTTP caller is. */
export interface CallerAuthenticator {
  /** `authorization`: the header as it came. */
  authenticate(authorization: string | undefined): Authentication | Promise<Authentication>;
}

export const CallerAuthenticator: ServiceIdentifier<CallerAuthenticator> = Symbol.for(
  'castellan.CallerAuthenticator',
);
