import { inject, injectable } from 'inversify';
import {
  type FlagReason,
  type FlagScope,
  type Flags,
  type FlagValue,
  parseFlagName,
  resolveFlag,
} from '../../domain/flag/flag.js';
import { Result } from '../../domain/result.js';
import type { ToolError } from '../../domain/tool/tool-error.js';
import { FlagStore } from '../ports/flag/flag-store.js';
import { flagFailure, flagRefused } from './flag-failure.js';

export interface GetFlagQuery {
  readonly scope: FlagScope;
  readonly flag: string;
}

export interface FoundFlag {
  readonly flag: string;
  /** null if the reason is ABSENT. */
  readonly value: FlagValue | null;
  readonly reason: FlagReason;
}

const NOTHING: Flags = new Map();

/** Gets a flag. Project: its own value, else the global one, else none. Global: only the global one. */
@injectable()
export class GetFlagHandler {
  constructor(@inject(FlagStore) private readonly flags: FlagStore) {}

  async handle({ scope, flag }: GetFlagQuery): Promise<Result<FoundFlag, ToolError>> {
    const name = parseFlagName(flag);
    if (!name.success) return flagRefused('flag', name.error, flag);
    const project = scope === 'project' ? await this.flags.all('project') : Result.ok(NOTHING);
    if (!project.success) return flagFailure(project);
    const global = await this.flags.all('global');
    if (!global.success) return flagFailure(global);
    const { value = null, reason } = resolveFlag(name.value, project.value, global.value);
    return Result.ok({ flag, value, reason });
  }
}
