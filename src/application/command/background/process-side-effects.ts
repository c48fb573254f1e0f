import type { CommandSideEffects, PreparedCommand } from '../../ports/command/command-runner.js';

/** Reports each side effect once, however often it is called while the command runs. */
export function newTracesOf(prepared: Pick<PreparedCommand, 'soFar'>): () => Promise<CommandSideEffects> {
  const told = new Set<string>();
  const isNew = (path: string): boolean => {
    if (told.has(path)) return false;
    told.add(path);
    return true;
  };
  return async () => {
    const { appeared, quarantined, findings } = await prepared.soFar();
    return {
      appeared: appeared.filter(isNew),
      quarantined: quarantined.filter(({ path, moved }) => isNew(`${path}\0${moved}`)),
      findings: findings.filter(isNew),
    };
  };
}
