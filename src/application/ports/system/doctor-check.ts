import type { ServiceIdentifier } from 'inversify';

export interface DoctorFinding {
  /** `missing`: something that the configuration in force needs is not there. `warn`: less than the best. */
  readonly status: 'ok' | 'warn' | 'missing';
  readonly detail: string;
  /** What a person does about it. */
  readonly remedy?: string;
}

/** One thing that `castellan doctor` looks at. Bind as many as there are; none may change anything. */
export interface DoctorCheck {
  readonly name: string;
  /** Whose fault a `missing` is; the machine's where absent. It decides the exit code. */
  readonly about?: 'configuration' | 'machine';
  run(): Promise<DoctorFinding>;
}

export const DoctorCheck: ServiceIdentifier<DoctorCheck> = Symbol.for('castellan.DoctorCheck');
