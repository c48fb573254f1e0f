import { constants } from 'node:fs';
import { access, lstat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DoctorCheck, DoctorFinding } from '../../application/ports/system/doctor-check.js';
import { lackOfRoom } from '../state/disk-room.js';
import { errnoOf } from '../state/errno.js';

/** Looks and makes nothing: the folder comes into being with the first record. */
export class StateFolderCheck implements DoctorCheck {
  readonly name = 'state folder';

  constructor(private readonly found: { readonly folder: string } | { readonly problem: string }) {}

  async run(): Promise<DoctorFinding> {
    const { found } = this;
    return 'problem' in found
      ? { status: 'missing', detail: 'there is none', remedy: found.problem }
      : this.look(found.folder);
  }

  private async look(folder: string): Promise<DoctorFinding> {
    try {
      const found = await lstat(folder);
      const user = process.getuid?.();
      if (!found.isDirectory()) return refuse(folder, 'is not a folder');
      if (user !== undefined && found.uid !== user) return refuse(folder, 'belongs to another user');
      await access(folder, constants.W_OK | constants.X_OK);
      const full = await lackOfRoom(folder);
      return full === undefined ? { status: 'ok', detail: folder } : noRoom(full);
    } catch (error) {
      const code = errnoOf(error) ?? String(error);
      if (code === 'ENOENT') return this.couldBeMade(folder, dirname(folder));
      return refuse(folder, `cannot be used (${code})`);
    }
  }

  /** The nearest folder that is there must let us make the others. */
  private async couldBeMade(folder: string, parent: string): Promise<DoctorFinding> {
    try {
      await access(parent, constants.W_OK | constants.X_OK);
      const full = await lackOfRoom(parent);
      return full === undefined
        ? { status: 'ok', detail: `${folder}, created when it is needed` }
        : noRoom(full);
    } catch (error) {
      const code = errnoOf(error) ?? String(error);
      if (code === 'ENOENT' && dirname(parent) !== parent) return this.couldBeMade(folder, dirname(parent));
      return refuse(folder, `cannot be created in ${parent} (${code})`);
    }
  }
}

function noRoom(why: string): DoctorFinding {
  return {
    status: 'missing',
    detail: `${why} Calls that need a record are refused, others are not recorded`,
    remedy: 'Free space there, or set XDG_STATE_HOME to a folder on another disk.',
  };
}

function refuse(folder: string, why: string): DoctorFinding {
  return {
    status: 'missing',
    detail: `${folder} ${why}: neither audit nor trust can be stored`,
    remedy: 'Make it a folder that you can write, or set XDG_STATE_HOME to a folder of your own.',
  };
}
