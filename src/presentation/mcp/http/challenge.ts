import type { Authentication } from '../../../application/ports/session/caller-authenticator.js';
import type { Refusal } from './http-guards.js';
import type { HttpOptions } from './http-options.js';

export const METADATA_PATH = '/.well-known/oauth-protected-resource';

type Refused = Exclude<Authentication, { readonly kind: 'caller' }>;

/** What a caller without good credentials is told: RFC 6750 and, where access tokens are taken, RFC 9728. */
export function challengeFor(refused: Refused, options: HttpOptions): Refusal {
  switch (refused.kind) {
    case 'refused': {
      const parts = [
        ...(refused.given ? ['error="invalid_token"', `error_description="${refused.why}"`] : []),
        ...scopeOf(options.scopes),
        ...metadataOf(options),
      ];
      return {
        status: 401,
        message: `Unauthorized: ${refused.why}`,
        headers: { 'WWW-Authenticate': `Bearer ${['realm="castellan"', ...parts].join(', ')}` },
      };
    }
    case 'insufficient': {
      const parts = ['error="insufficient_scope"', ...scopeOf(refused.scopes), ...metadataOf(options)];
      return {
        status: 403,
        message: `Forbidden: the token needs the scopes ${refused.scopes.join(' ')}.`,
        headers: { 'WWW-Authenticate': `Bearer ${['realm="castellan"', ...parts].join(', ')}` },
      };
    }
    case 'unavailable':
      return {
        status: 503,
        message: `Service Unavailable: ${refused.why}`,
        headers: { 'Retry-After': '10' },
      };
  }
}

function scopeOf(scopes: readonly string[]): readonly string[] {
  return scopes.length === 0 ? [] : [`scope="${scopes.join(' ')}"`];
}

function metadataOf({ authorizationServers, publicUrl }: HttpOptions): readonly string[] {
  if (authorizationServers.length === 0 || publicUrl === undefined) return [];
  const url = new URL(publicUrl);
  const path = url.pathname === '/' ? '' : url.pathname;
  return [`resource_metadata="${url.origin}${METADATA_PATH}${path}"`];
}

/** The RFC 9728 document; undefined where no access tokens are taken. */
export function resourceMetadata(options: HttpOptions): object | undefined {
  const { authorizationServers, publicUrl, scopes } = options;
  if (authorizationServers.length === 0 || publicUrl === undefined) return undefined;
  return {
    resource: publicUrl,
    authorization_servers: authorizationServers,
    bearer_methods_supported: ['header'],
    ...(scopes.length > 0 && { scopes_supported: scopes }),
    resource_name: 'Castellan',
  };
}
