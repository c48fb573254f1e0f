import type { CommandGuard, CommandSideEffects } from '../../ports/command/command-view.js';

/** Tells each thing once, however often somebody asks while the command runs. */
export function newTracesOf(guard: CommandGuard): () => Promise<CommandSideEffects> {
  const told = new Set<string>();
  const isNew = (path: string): boolean => {
    if (told.has(path)) return false;
    told.add(path);
    return true;
  };
  return async () => {
    const { appeared, quarantined, findings } = (await guard.soFar?.()) ?? NOTHING;
    return {
      appeared: appeared.filter(isNew),
      quarantined: quarantined.filter(({ path, moved }) => isNew(`${path}\0${moved}`)),
      findings: findings.filter(isNew),
    };
  };
}

const NOTHING: CommandSideEffects = { appeared: [], quarantined: [], findings: [] };
