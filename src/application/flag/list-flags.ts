import { inject, injectable } from 'inversify';
import { type FlagScope, type Flags, type FlagValue, mergeFlags } from '../../domain/flag/flag.js';
import { matchesFlagFilter } from '../../domain/flag/flag-filter.js';
import { Result } from '../../domain/result.js';
import type { ToolError } from '../../domain/tool/tool-error.js';
import { FlagStore } from '../ports/flag/flag-store.js';
import { flagFailure } from './flag-failure.js';

export interface ListFlagsQuery {
  readonly scope: FlagScope;
  /** A name or a glob. */
  readonly filter?: string;
  /** Project only: effective values, including global defaults; otherwise the project's own. */
  readonly active?: boolean;
}

export type FlagListing = Readonly<Record<string, FlagValue>>;

/** Lists flags sorted by name. The global scope is never merged with another. */
@injectable()
export class ListFlagsHandler {
  constructor(@inject(FlagStore) private readonly flags: FlagStore) {}

  async handle({ filter = '*', ...query }: ListFlagsQuery): Promise<Result<FlagListing, ToolError>> {
    const flags = await this.read(query);
    if (!flags.success) return flagFailure(flags);
    const listed = [...flags.value].filter(([name]) => matchesFlagFilter(filter, name));
    return Result.ok(Object.fromEntries(listed));
  }

  private async read({ scope, active = true }: ListFlagsQuery): Promise<Result<Flags>> {
    const own = await this.flags.all(scope);
    if (!own.success || scope === 'global' || !active) return own;
    const global = await this.flags.all('global');
    return global.success ? Result.ok(mergeFlags(own.value, global.value)) : global;
  }
}
