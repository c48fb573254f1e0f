import { isLoopback } from '../../domain/loopback.js';
import { DEFAULT_SETTINGS, type HttpSettings } from './settings.js';
import {
  choice,
  described,
  flag,
  listOf,
  mapped,
  record,
  type Shape,
  text,
  wholeNumber,
} from './yaml-shape.js';
import { duration } from './yaml-units.js';

interface OAuthFields {
  issuer?: string;
  audience?: string;
  jwks_uri?: string;
  algorithms?: readonly string[];
  scopes?: readonly string[];
}

export interface HttpFields {
  host?: string;
  port?: number;
  admin?: { readonly host: string; readonly port: number } | 'off';
  hosts?: readonly string[];
  origins?: readonly string[];
  public_url?: string;
  behind_proxy?: boolean;
  session_idle?: number;
  tls?: { cert?: string; key?: string };
  oauth?: OAuthFields;
}

/** No symmetric ones: whoever can check such a token could make one. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
] as const;
const DEFAULT_ALGORITHMS: readonly string[] = ['RS256', 'PS256', 'ES256', 'EdDSA'];

const address: Shape<{ readonly host: string; readonly port: number } | 'off'> = mapped(
  text,
  (value, at, reading) => {
    if (value === 'off') return 'off';
    const [, host, port] = /^(.+):(\d{1,5})$/.exec(value) ?? [];
    if (host !== undefined && Number(port) <= 65_535) return { host, port: Number(port) };
    return reading.report(at, 'Expected an address such as 127.0.0.1:7338, or off.');
  },
);

/** Keys and claims over plain HTTP could be anybody's, except on this machine. */
const secureUrl: Shape<string> = mapped(text, (value, at, reading) => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const local = url !== undefined && isLoopback(url.hostname);
  if (url?.protocol === 'https:' || (local && url.protocol === 'http:')) return value;
  return reading.report(at, 'Expected an https address (http only on the loopback interface).');
});

/** Sessions are looked after every five seconds; one that outlives a day is nobody's. */
const idleTime: Shape<number> = mapped(duration, (value, at, reading) =>
  value >= 10_000 && value <= 86_400_000 ? value : reading.report(at, 'Expected a time from 10s to 24h.'),
);

export const httpFields = record<HttpFields>(
  'http: host, port, admin, hosts, origins, public_url, behind_proxy, session_idle, tls, oauth',
  {
    host: described('The address to listen on; default: 127.0.0.1.', text),
    port: described('The port to listen on; default: 7337. 0 takes any free one.', wholeNumber(0, 65_535)),
    admin: described('Where /healthz, /readyz and /metrics are served; 127.0.0.1:7338, or off.', address),
    hosts: described('Accepted names in the Host header, besides loopback names.', listOf(text)),
    origins: described(
      'Origins of browser pages that may call, such as https://app.example.com.',
      listOf(text),
    ),
    public_url: described('The address of the endpoint as clients know it.', secureUrl),
    behind_proxy: described('True if a proxy in front of the server does TLS.', flag),
    session_idle: described('A session that was idle for this long ends; default: 30m.', idleTime),
    tls: record<{ cert?: string; key?: string }>(
      'tls: cert, key',
      {
        cert: described('The file of the certificate, with its chain.', text),
        key: described('The file of its private key.', text),
      },
      ['cert', 'key'],
    ),
    oauth: described(
      'Accepts access tokens of this issuer.',
      record<OAuthFields>(
        'oauth: issuer, audience, jwks_uri, algorithms, scopes',
        {
          issuer: described('The address of the issuer, as its tokens name it.', secureUrl),
          audience: described('The audience that tokens must name (default: public_url).', text),
          jwks_uri: described('The address of the keys (default: discovered from the issuer).', secureUrl),
          algorithms: described(
            `Accepted signature algorithms; default: ${DEFAULT_ALGORITHMS.join(', ')}.`,
            listOf(choice(...ALGORITHMS)),
          ),
          scopes: described('Scopes that every token needs.', listOf(text)),
        },
        ['issuer'],
      ),
    ),
  },
);

export function toHttpSettings(given: HttpFields): HttpSettings {
  const base = DEFAULT_SETTINGS.http;
  const { admin = base.admin, public_url, tls, oauth } = given;
  return {
    host: given.host ?? base.host,
    port: given.port ?? base.port,
    ...(admin !== 'off' && admin !== undefined && { admin }),
    hosts: (given.hosts ?? []).map((host) => host.toLowerCase()),
    origins: given.origins ?? [],
    ...(public_url !== undefined && { publicUrl: public_url }),
    behindProxy: given.behind_proxy ?? false,
    sessionIdleMs: given.session_idle ?? base.sessionIdleMs,
    ...(tls?.cert !== undefined && tls.key !== undefined && { tls: { cert: tls.cert, key: tls.key } }),
    ...(oauth?.issuer !== undefined && {
      oauth: {
        issuer: oauth.issuer,
        ...(oauth.audience !== undefined && { audience: oauth.audience }),
        ...(oauth.jwks_uri !== undefined && { jwksUri: oauth.jwks_uri }),
        algorithms: oauth.algorithms ?? DEFAULT_ALGORITHMS,
        scopes: oauth.scopes ?? [],
      },
    }),
  };
}
