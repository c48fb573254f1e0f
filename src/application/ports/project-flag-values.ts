import type { ServiceIdentifier } from 'inversify';

/** The flags of the active project as they are in force, for those who only show them. */
export interface ProjectFlagValues {
  all(): Promise<Readonly<Record<string, unknown>>>;
}

export const ProjectFlagValues: ServiceIdentifier<ProjectFlagValues> = Symbol.for(
  'castellan.ProjectFlagValues',
);
