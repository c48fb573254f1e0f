import type { DoctorCheck, DoctorFinding } from '../../application/ports/system/doctor-check.js';
import { type Colour, columns, type ExitCode, type Output } from './output.js';

interface Found {
  readonly check: DoctorCheck;
  readonly finding: DoctorFinding;
}

const COLOURS: Readonly<Record<DoctorFinding['status'], Colour>> = {
  ok: 'green',
  warn: 'yellow',
  missing: 'red',
};

/**
 * `castellan doctor`: every check with its finding; exits with 3 for wrong configuration, 4 if something is
 * missing.
 */
export async function doctorCommand(
  checks: readonly DoctorCheck[],
  options: { readonly json?: boolean },
  output: Output,
): Promise<ExitCode> {
  const waiting = new Set(checks.map(({ name }) => name));
  const found = await Promise.all(
    checks.map(async (check) => {
      const finding = await find(check);
      waiting.delete(check.name);
      if (waiting.size > 0) output.progress(`Checking ${[...waiting].join(', ')} …`);
      return { check, finding };
    }),
  );
  const code = exitCode(found);
  if (options.json === true) output.out(JSON.stringify(asJson(found, code), undefined, 2));
  else output.out(inWords(found, output));
  return code;
}

function exitCode(found: readonly Found[]): ExitCode {
  const wanting = found.filter(({ finding }) => finding.status === 'missing');
  if (wanting.some(({ check }) => check.about === 'configuration')) return 3;
  return wanting.length > 0 ? 4 : 0;
}

function asJson(found: readonly Found[], code: ExitCode): object {
  return { ok: code === 0, checks: found.map(({ check, finding }) => ({ name: check.name, ...finding })) };
}

function inWords(found: readonly Found[], output: Output): string {
  const rows = columns(
    found.map(({ check, finding }) => [finding.status, check.name, firstLine(finding.detail)]),
  )
    .split('\n')
    .map((row, index) => {
      const status = found[index]?.finding.status ?? 'ok';
      return `${output.paint(COLOURS[status], status)}${row.slice(status.length)}`;
    });
  const remedies = found.flatMap(({ check, finding }) =>
    finding.remedy === undefined ? [] : [`${check.name}: ${finding.remedy}`],
  );
  if (remedies.length > 0) rows.push('', output.paint('bold', 'What to do:'), ...remedies);
  return rows.join('\n');
}

/** A row is one line; messages of libraries may have more. */
function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

/** A check that throws is a finding as well; the others still run. */
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
