import type { ExitCode, Output } from './output.js';

/** The specification file; passed in, so that the command can be tested without a disk. */
export interface SpecificationFile {
  readonly name: string;
  read(): Promise<string | undefined>;
  /** Why it could not be written; undefined on success. */
  write(text: string): Promise<string | undefined>;
}

/** `castellan docs [--check]`: writes the specification, or says whether it is current. */
export async function docsCommand(
  specification: string,
  file: SpecificationFile,
  options: { readonly check?: boolean },
  output: Output,
): Promise<ExitCode> {
  const written = await file.read();
  if (options.check) {
    if (written === specification) {
      output.out(`${file.name} is up to date.`);
      return 0;
    }
    const problem =
      written === undefined ? 'is missing' : `is stale: ${firstDifference(written, specification)}`;
    output.err(`${file.name} ${problem}\nRun \`castellan docs\` and commit the result.`);
    return 1;
  }
  if (written !== specification) {
    const problem = await file.write(specification);
    if (problem !== undefined) {
      output.err(`${file.name} cannot be written (${problem}). Nothing was changed.`);
      return 1;
    }
  }
  output.out(`${file.name} ${written === specification ? 'was up to date' : 'written'}.`);
  return 0;
}

function firstDifference(written: string, wanted: string): string {
  const left = written.split('\n');
  const right = wanted.split('\n');
  const line = right.findIndex((text, index) => text !== left[index]);
  const at = line === -1 ? right.length : line;
  return `line ${at + 1} reads ${JSON.stringify(left[at] ?? '')}, expected ${JSON.stringify(right[at] ?? '')}`;
}
