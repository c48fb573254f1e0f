import { mkdirSync } from 'node:fs';
import { basename } from 'node:path';
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
      else if (isPart(path)) mkdirSync(path);
      const isPutBack = instead !== undefined || isPart(path);
      return { path, text: sentence(door, kept, isPutBack) };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { path, text: `${path} ${why}. It could not be taken away: ${reason}.` };
    }
  }
}

/** Without these folders git would not take the repository for one. */
function isPart(path: string): boolean {
  return ['objects', 'refs'].includes(basename(path));
}

function sentence({ path, taken, why }: OpenDoor, kept: string | undefined, isPutBack: boolean): string {
  const moved = taken === path ? 'It is' : `${taken}, without which git ignores that folder, is`;
  return [
    `${path} ${why}.`,
    ...(kept === undefined ? [] : [`${moved} now in ${kept}.`]),
    ...(isPutBack ? ['What git needs there was put back.'] : []),
  ].join(' ');
}
