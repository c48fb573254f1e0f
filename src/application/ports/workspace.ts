import type { ServiceIdentifier } from 'inversify';

/** The folder that relative paths mean. Absolute, and real: no symbolic link on the way to it. */
export interface Workspace {
  readonly root: string;
}

export const Workspace: ServiceIdentifier<Workspace> = Symbol.for('castellan.Workspace');
