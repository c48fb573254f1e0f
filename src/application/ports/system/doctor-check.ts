import type { ServiceIdentifier } from 'inversify';

export interface DoctorFinding {
  /**
   * `missing`: something that the active configuration needs is not available. `warn`: it works with
   * restrictions.
   */
  readonly status: 'ok' | 'warn' | 'missing';
  readonly detail: string;
  /** How a person can fix it. */
  readonly remedy?: string;
}

/** One check of `castellan doctor`. Any number may be bound; none may change anything. */
export interface DoctorCheck {
  readonly name: string;
  /** The cause of a `missing` (default: machine). It decides the exit code. */
  readonly about?: 'configuration' | 'machine';
  run(): Promise<DoctorFinding>;
}

export const DoctorCheck: ServiceIdentifier<DoctorCheck> = Symbol.for('castellan.DoctorCheck');
