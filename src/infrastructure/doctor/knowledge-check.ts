import type { DoctorCheck, DoctorFinding } from '../../application/ports/system/doctor-check.js';

const MAX_SHOWN = 20;

/** The settings, and files that agents are served: decision records, patterns, prompts. What is wrong, a line each. */
export class KnowledgeCheck implements DoctorCheck {
  constructor(
    readonly name: string,
    private readonly problems: () => Promise<readonly string[]>,
    /** What is worth knowing though nothing is wrong. */
    private readonly note?: string,
  ) {}

  async run(): Promise<DoctorFinding> {
    const found = await this.problems();
    if (found.length === 0) return { status: 'ok', detail: this.note ?? 'nothing wrong' };
    const more = found.length > MAX_SHOWN ? [`… and ${found.length - MAX_SHOWN} more`] : [];
    return {
      status: 'warn',
      detail: found.length === 1 ? '1 problem' : `${found.length} problems`,
      remedy: ['Correct what these lines name:', ...found.slice(0, MAX_SHOWN), ...more].join('\n'),
    };
  }
}
