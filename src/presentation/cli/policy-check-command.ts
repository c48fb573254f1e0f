import { type FileProblem, formatProblem } from '../../domain/file-problem.js';
import type { ExitCode, Output } from './output.js';

/** The result of checking a policy. */
export interface PolicyReport {
  /** Files and profiles, the first one first. */
  readonly origin: readonly string[];
  /** Why it cannot be used; empty if it can. */
  readonly problems: readonly FileProblem[];
  /** Rules that load, but probably grant more or less than intended. */
  readonly warnings: readonly FileProblem[];
  readonly tests: number;
  /** False: it can only restrict the baseline until it is trusted. */
  readonly trusted: boolean;
  /** What it grants and refuses, as sentences, the most powerful first. */
  readonly power: readonly string[];
  /** Further notes, although no rule is doubtful. */
  readonly notes?: readonly string[];
}

/** `castellan policy check [FILE]`: 3 for a file that cannot be used, 1 for doubtful rules. */
export function policyCheckCommand(
  report: PolicyReport,
  options: { readonly json?: boolean },
  output: Output,
): ExitCode {
  const code = report.problems.length > 0 ? 3 : report.warnings.length > 0 ? 1 : 0;
  if (options.json === true) output.out(JSON.stringify({ ok: code === 0, ...report }, undefined, 2));
  else tell(report, output);
  return code;
}

function tell(report: PolicyReport, output: Output): void {
  const { problems, warnings, tests, origin } = report;
  if (problems.length > 0) {
    for (const problem of problems) output.err(formatProblem(problem));
    output.err(`\n${count(problems.length, 'problem')}: the policy cannot be used.`);
    return;
  }
  output.out(`Policy: ${origin.join(', ')}`);
  output.out(tests === 0 ? 'It has no tests of its own.' : `Its ${count(tests, 'test')} passed.`);
  if (!report.trusted) {
    output.out(
      'It is not trusted yet: until you run `castellan trust` it can only restrict builtin:baseline.',
    );
  }
  output.out(
    `\n${output.paint('bold', report.trusted ? 'What it grants and refuses:' : 'What it would grant and refuse:')}`,
  );
  for (const line of report.power) output.out(`- ${line}`);
  for (const note of report.notes ?? []) output.out(`\n${note}`);
  if (warnings.length === 0) return;
  output.out('');
  for (const warning of warnings) output.err(formatProblem(warning));
  output.err(`\n${count(warnings.length, 'doubtful rule')}.`);
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
