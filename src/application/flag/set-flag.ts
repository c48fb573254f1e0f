import { inject, injectable } from 'inversify';
import { type FlagScope, type FlagValue, parseFlagName, parseFlagValue } from '../../domain/flag/flag.js';
import { Result } from '../../domain/result.js';
import type { ToolError } from '../../domain/tool/tool-error.js';
import { FlagSchemas } from '../ports/flag/flag-schemas.js';
import { FlagStore } from '../ports/flag/flag-store.js';
import { flagFailure, flagRefused } from './flag-failure.js';

export interface SetFlagCommand {
  readonly scope: FlagScope;
  readonly flag: string;
  /** null removes the flag. */
  readonly value: unknown;
}

export interface FlagSet {
  readonly flag: string;
  /** null: the flag is no longer set. */
  readonly value: FlagValue | null;
}

/** Sets one flag in one scope; the other scope stays as it is. */
@injectable()
export class SetFlagHandler {
  constructor(
    @inject(FlagStore) private readonly flags: FlagStore,
    @inject(FlagSchemas) private readonly schemas: FlagSchemas,
  ) {}

  async handle({ scope, flag, value }: SetFlagCommand): Promise<Result<FlagSet, ToolError>> {
    const name = parseFlagName(flag);
    if (!name.success) return flagRefused('flag', name.error, flag);
    if (value === null) {
      const removed = await this.flags.set(scope, name.value, undefined);
      return removed.success ? Result.ok({ flag, value: null }) : flagFailure(removed);
    }
    const parsed = parseFlagValue(value);
    if (!parsed.success) return flagRefused('value', parsed.error, value);
    const fits = await this.schemas.check(name.value, parsed.value);
    if (!fits.success) return flagRefused('value', fits.error, value);
    const written = await this.flags.set(scope, name.value, parsed.value);
    return written.success ? Result.ok({ flag, value: parsed.value }) : flagFailure(written);
  }
}
