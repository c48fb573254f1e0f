/** An error or a warning in a policy file. */
export interface FileProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly hint?: string;
}

export function formatProblem(problem: FileProblem): string {
  const hint = problem.hint === undefined ? '' : ` ${problem.hint}`;
  return `${problem.file}:${problem.line}:${problem.column}: ${problem.message}${hint}`;
}
