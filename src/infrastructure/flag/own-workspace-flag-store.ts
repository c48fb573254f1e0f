import type { FlagStore } from '../../application/ports/flag/flag-store.js';
import type { FlagName, FlagScope, Flags, FlagValue } from '../../domain/flag/flag.js';
import { Result } from '../../domain/result.js';

/**
 * The flags of a principal with a workspace of its own. Global flags apply to every workspace, so they can be
 * read there and not set: other principals would see them, and they switch their tools.
 */
export class OwnWorkspaceFlagStore implements FlagStore {
  constructor(private readonly flags: FlagStore) {}

  all(scope: FlagScope): Promise<Result<Flags>> {
    return this.flags.all(scope);
  }

  async set(scope: FlagScope, name: FlagName, value: FlagValue | undefined): Promise<Result<void>> {
    if (scope === 'project') return this.flags.set(scope, name, value);
    return Result.failure(
      'Global flags hold for every workspace of this server, and callers with a workspace of their own cannot set them: set a project flag, or ask the operator.',
      'PermissionDeniedError',
    );
  }

  onChange(listener: (scope: FlagScope) => void): () => void {
    return this.flags.onChange(listener);
  }

  close(): Promise<void> {
    return this.flags.close();
  }
}
