import type {
  Authentication,
  CallerAuthenticator,
} from '../../application/ports/session/caller-authenticator.js';
import { BoundedMap } from '../../domain/bounded-map.js';
import { type KeyBearer, keyCaller } from '../../domain/session/caller.js';
import { hashOf } from './token-file.js';

const BEARER = /^Bearer +([\x21-\x7e]{1,16384})$/i;
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;
const BEARER_WANTED = 'credentials are required, as Authorization: Bearer TOKEN.';
const NONE: Authentication = { kind: 'refused', given: false, why: BEARER_WANTED };
const UNREADABLE: Authentication = { kind: 'refused', given: true, why: BEARER_WANTED };
const WRONG: Authentication = { kind: 'refused', given: true, why: 'the token is not valid here.' };

const MAX_KNOWN = 256;

interface KeyCaller {
  readonly kind: 'caller';
  readonly caller: KeyBearer;
}

export interface AccessTokens {
  check(token: string): Promise<Authentication>;
}

/** Takes the server's own token, the keys that the policy names by their hashes, and access tokens. */
export class HttpAuthenticator implements CallerAuthenticator {
  /** Callers by the header they send: hashing it again for each request would cost a tenth of the request. */
  readonly #known = new BoundedMap<string, KeyCaller>(MAX_KNOWN);

  constructor(
    private readonly knows: (keyHash: string) => boolean,
    private readonly accessTokens?: AccessTokens,
  ) {}

  authenticate(authorization: string | undefined): Authentication | Promise<Authentication> {
    if (authorization === undefined) return NONE;
    const known = this.#known.get(authorization);
    // Whether the key still holds is asked each time: the policy may have changed.
    if (known !== undefined && this.knows(known.caller.apiKeyHash)) return known;
    const token = BEARER.exec(authorization)?.[1];
    if (token === undefined) return UNREADABLE;
    // The comparison is of hashes: how long it takes says nothing about the key.
    const apiKeyHash = hashOf(token);
    if (this.knows(apiKeyHash)) {
      const found: KeyCaller = { kind: 'caller', caller: keyCaller(apiKeyHash) };
      this.#known.set(authorization, found);
      return found;
    }
    return this.accessTokens !== undefined && JWT.test(token) ? this.accessTokens.check(token) : WRONG;
  }
}
