import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { Authentication } from '../../application/ports/session/caller-authenticator.js';
import { BoundedMap } from '../../domain/bounded-map.js';
import { isOwnName } from '../../domain/session/caller.js';
import { asError } from '../../domain/thrown.js';
import type { OAuthSettings } from '../config/settings.js';
import type { AccessTokens } from './http-authenticator.js';
import { hashOf } from './token-file.js';

const CLOCK_SKEW_SECONDS = 30;
const KEYS_KEPT_MS = 10 * 60 * 1000;
const KEYS_COOLDOWN_MS = 30_000;
const FETCH_MS = 5000;
/** How long a checked token is not checked again, and how many are remembered. */
const REMEMBERED_MS = 30_000;
const MAX_REMEMBERED = 1000;
/** They differ between tokens of the same caller. */
const OF_THE_TOKEN = new Set(['exp', 'iat', 'nbf', 'jti', 'auth_time', 'at_hash', 'sid', 'scope', 'scp']);

interface Remembered {
  readonly until: number;
  readonly answer: Authentication;
}

/** Checks OAuth 2.1 access tokens: whose they are, for whom, how long, and signed with which key. */
export class AccessTokenCheck implements AccessTokens {
  readonly #remembered = new BoundedMap<string, Remembered>(MAX_REMEMBERED);
  #keys: Promise<JWTVerifyGetKey> | undefined;

  constructor(
    private readonly settings: OAuthSettings & { readonly audience: string },
    private readonly onProblem: (why: string) => void,
  ) {}

  async check(token: string): Promise<Authentication> {
    const key = hashOf(token);
    const known = this.#remembered.get(key);
    if (known !== undefined && known.until > Date.now()) return known.answer;
    let payload: JWTPayload;
    try {
      payload = await this.#verify(token);
    } catch (error) {
      return this.#refusal(error);
    }
    const answer = this.#callerOf(payload);
    this.#remember(key, answer, payload.exp);
    return answer;
  }

  async #verify(token: string): Promise<JWTPayload> {
    const { issuer, audience, algorithms } = this.settings;
    this.#keys ??= this.#findKeys().catch((error: unknown) => {
      // The issuer is asked again by the next token.
      this.#keys = undefined;
      throw error;
    });
    const { payload } = await jwtVerify(token, await this.#keys, {
      issuer,
      audience,
      algorithms: [...algorithms],
      clockTolerance: CLOCK_SKEW_SECONDS,
      requiredClaims: ['sub', 'exp'],
    });
    return payload;
  }

  #callerOf(payload: JWTPayload): Authentication {
    const { scope, scp, sub } = payload;
    if (typeof sub !== 'string' || sub === '') return refused('the claim sub of the token names nobody.');
    if (isOwnName(sub)) return refused('the claim sub of the token is a name that this server gives itself.');
    const held = typeof scope === 'string' ? scope.split(' ') : Array.isArray(scp) ? scp : [];
    if (!this.settings.scopes.every((wanted) => held.includes(wanted)))
      return { kind: 'insufficient', scopes: this.settings.scopes };
    const claims = Object.fromEntries(Object.entries(payload).filter(([name]) => !OF_THE_TOKEN.has(name)));
    return { kind: 'caller', caller: { id: sub, transport: 'http', issuer: this.settings.issuer, claims } };
  }

  #refusal(error: unknown): Authentication {
    if (error instanceof errors.JWTExpired) return refused('the token has expired.');
    if (error instanceof errors.JWTClaimValidationFailed)
      return refused(`the claim ${error.claim.replace(/[^\w-]/g, '')} of the token is not the one expected.`);
    const unreachable =
      error instanceof errors.JWKSTimeout || (error instanceof Error && error.name === 'KeysUnavailable');
    // jose reports a key server that answers with an error as a plain JOSEError.
    if (unreachable || !(error instanceof errors.JOSEError) || error.code === 'ERR_JOSE_GENERIC') {
      this.onProblem(asError(error).message);
      return { kind: 'unavailable', why: 'the keys to check the token with cannot be fetched now.' };
    }
    return refused('the token is not valid here.');
  }

  #remember(key: string, answer: Authentication, exp: number | undefined): void {
    const until = Math.min(Date.now() + REMEMBERED_MS, (exp ?? 0) * 1000);
    this.#remembered.set(key, { until, answer });
  }

  async #findKeys(): Promise<JWTVerifyGetKey> {
    const uri = this.settings.jwksUri ?? (await this.#askIssuer());
    return createRemoteJWKSet(new URL(uri), {
      cacheMaxAge: KEYS_KEPT_MS,
      cooldownDuration: KEYS_COOLDOWN_MS,
      timeoutDuration: FETCH_MS,
    });
  }

  /** RFC 8414 and OpenID Connect discovery; the answer must be about this very issuer. */
  async #askIssuer(): Promise<string> {
    const { issuer } = this.settings;
    const base = new URL(issuer);
    const path = base.pathname === '/' ? '' : base.pathname.replace(/\/$/, '');
    const places = [
      `${base.origin}/.well-known/oauth-authorization-server${path}`,
      `${base.origin}${path}/.well-known/openid-configuration`,
    ];
    for (const place of places) {
      const answer = await fetch(place, { signal: AbortSignal.timeout(FETCH_MS), redirect: 'error' });
      if (!answer.ok) continue;
      const found: unknown = await answer.json();
      if (isMetadata(found) && found.issuer === issuer) return found.jwks_uri;
    }
    const error = new Error(`${issuer} does not say where its keys are; set http.oauth.jwks_uri.`);
    error.name = 'KeysUnavailable';
    throw error;
  }
}

function refused(why: string): Authentication {
  return { kind: 'refused', given: true, why };
}

function isMetadata(value: unknown): value is { readonly issuer: string; readonly jwks_uri: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'issuer' in value &&
    'jwks_uri' in value &&
    typeof value.jwks_uri === 'string'
  );
}
