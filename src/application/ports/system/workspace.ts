import type { ServiceIdentifier } from 'inversify';
import type { NamedFolder } from '../../../domain/permission/path/normal-path.js';

/** The directory that relative paths refer to. Absolute and real: no symbolic link on the way to it. */
export interface Workspace extends NamedFolder {}

export const Workspace: ServiceIdentifier<Workspace> = Symbol.for('castellan.Workspace');
