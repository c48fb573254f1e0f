import type { Quarantine } from '../workspace/quarantine.js';
import type { OpenDoor } from './door-baseline.js';
import type { DoorFinding } from './door-watch.js';

/** Takes away what git would obey, puts back what belongs there, and tells of both. */
export class DoorClosing {
  constructor(private readonly quarantine: Quarantine) {}

  shut(door: OpenDoor): DoorFinding {
    const { path, taken, owner, why, instead } = door;
    try {
      const kept = this.quarantine.take(taken);
      if (instead !== undefined) this.quarantine.put(taken, instead, owner);
      return { path, text: sentence(door, kept) };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { path, text: `${path} ${why}. It could not be taken away: ${reason}.` };
    }
  }
}

function sentence({ path, taken, why, instead }: OpenDoor, kept: string | undefined): string {
  const moved = taken === path ? 'It is' : `${taken}, without which git ignores that folder, is`;
  return [
    `${path} ${why}.`,
    ...(kept === undefined ? [] : [`${moved} now in ${kept}.`]),
    ...(instead !== undefined ? ['What git needs there was put back.'] : []),
  ].join(' ');
}
