import type { Container } from 'inversify';
import { PolicySource } from '../../application/ports/permission/policy-source.js';
import { keyCaller } from '../../domain/session/caller.js';
import type { ServerToken } from '../../infrastructure/auth/token-file.js';
import type { TokenPrincipal } from '../../presentation/cli/connect-help.js';

/** Whom the policy takes the bearer of the server's own token for; undefined: it names no principals. */
export function tokenPrincipal(container: Container, { hash }: ServerToken): TokenPrincipal | undefined {
  const principal = container.get(PolicySource).current().policy.principalOf(keyCaller(hash));
  return principal && { ...principal, hash };
}
