import type { DoctorCheck, DoctorFinding } from '../../application/ports/system/doctor-check.js';
import { describeRate, type RateNumbers } from '../../domain/tool/rate-words.js';

const MAX_SHOWN = 10;

/** How often a caller may call, by default and for the tools that the policy has its own word about. */
export class RateCheck implements DoctorCheck {
  readonly name = 'rates';

  constructor(
    private readonly usual: RateNumbers,
    private readonly own: ReadonlyMap<string, RateNumbers>,
  ) {}

  async run(): Promise<DoctorFinding> {
    const others = [...this.own].map(([tool, rate]) => `${tool} ${describeRate(rate)}`);
    const more = others.length > MAX_SHOWN ? [`${others.length - MAX_SHOWN} more`] : [];
    const said = [...others.slice(0, MAX_SHOWN), ...more].join('; ');
    const usual = `${describeRate(this.usual)}, for each caller and tool`;
    return { status: 'ok', detail: said === '' ? usual : `${usual}; by the policy: ${said}` };
  }
}
