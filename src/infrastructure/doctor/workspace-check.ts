import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import type { DoctorCheck, DoctorFinding } from '../../application/ports/system/doctor-check.js';
import { errnoOf } from '../state/errno.js';

/** The folder that agents work in, or why there is none. */
export class WorkspaceCheck implements DoctorCheck {
  readonly name = 'workspace';
  readonly about = 'configuration';

  constructor(
    private readonly found:
      | { readonly folder: string }
      | { readonly problem: string }
      | { readonly waitsFor: string },
  ) {}

  async run(): Promise<DoctorFinding> {
    if ('waitsFor' in this.found) {
      return { status: 'warn', detail: `not checked: there is no ${this.found.waitsFor}` };
    }
    if ('problem' in this.found) {
      return { status: 'missing', detail: 'there is none to serve', remedy: this.found.problem };
    }
    const { folder } = this.found;
    try {
      await access(folder, constants.R_OK | constants.X_OK);
    } catch (error) {
      const remedy = `Run as its owner, or: castellan doctor --workspace FOLDER`;
      return { status: 'missing', detail: `${folder} cannot be read (${errnoOf(error) ?? error})`, remedy };
    }
    try {
      await access(folder, constants.W_OK);
      return { status: 'ok', detail: folder };
    } catch {
      // A policy that only reads is content with that.
      return {
        status: 'warn',
        detail: `${folder} cannot be written by this user`,
        remedy: `chown or chmod ${folder}`,
      };
    }
  }
}
