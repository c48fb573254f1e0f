import type { ServiceIdentifier } from 'inversify';

/** The limits and names of the HTTP endpoint. */
export interface HttpOptions {
  /** Names by which we may be addressed, without port; beside them the loopback names where `loopback` is true. */
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
  readonly loopback: boolean;
  /** The address of the endpoint as clients know it: the canonical URI of the protected resource. */
  readonly publicUrl: string | undefined;
  /** Who issues access tokens for us; empty where only keys are taken. */
  readonly authorizationServers: readonly string[];
  readonly scopes: readonly string[];
  readonly maxBodyBytes: number;
  readonly maxSessions: number;
  readonly maxSessionsPerCaller: number;
  readonly maxRequestsPerCaller: number;
  readonly sessionIdleMs: number;
}

export const HTTP_LIMITS = {
  maxBodyBytes: 4 * 1024 * 1024,
  maxSessions: 10_000,
  maxSessionsPerCaller: 2000,
  maxRequestsPerCaller: 256,
} as const;

export const HttpOptions: ServiceIdentifier<HttpOptions> = Symbol.for('castellan.HttpOptions');
