import type { DoctorCheck, DoctorFinding } from '../../application/ports/system/doctor-check.js';
import { columns, type ExitCode, type Output } from './output.js';

/** `castellan doctor`: every check with its finding; 3 for wrong configuration, 4 when something is missing. */
export async function doctorCommand(checks: readonly DoctorCheck[], output: Output): Promise<ExitCode> {
  const findings = await Promise.all(checks.map(async (check) => ({ check, finding: await find(check) })));
  output.out(columns(findings.map(({ check, finding }) => [finding.status, check.name, finding.detail])));
  const remedies = findings.flatMap(({ check, finding }) =>
    finding.remedy === undefined ? [] : [`${check.name}: ${finding.remedy}`],
  );
  if (remedies.length > 0) output.out(`\nWhat to do:\n${remedies.join('\n')}`);
  const wanting = findings.filter(({ finding }) => finding.status === 'missing');
  if (wanting.some(({ check }) => check.about === 'configuration')) return 3;
  return wanting.length > 0 ? 4 : 0;
}

/** A check that breaks is a finding too; the others still count. */
async function find(check: DoctorCheck): Promise<DoctorFinding> {
  try {
    return await check.run();
  } catch (error) {
    return {
      status: 'warn',
      detail: `could not be checked: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}
