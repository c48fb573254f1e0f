import type { FileProblem } from '../../domain/file-problem.js';
import type { ReadPolicyFile } from './compose-policy.js';

/** Reads the files of one policy: a stranger's only as far as they lie in the workspace. */
export class FoundFiles {
  readonly #unread: FileProblem[] = [];

  constructor(
    /** Whether the user named or accepted the file at this path. */
    private readonly isOwn: (path: string) => Promise<boolean>,
    private readonly workspace: string,
    private readonly source: ReadPolicyFile,
  ) {}

  readonly read: ReadPolicyFile = async (path, limits) => {
    if (limits?.owners !== undefined || (await this.isOwn(path))) return this.source(path, limits);
    const content = await this.source(path, { inside: this.workspace });
    if ('problem' in content) this.#unread.push({ file: path, line: 1, column: 1, message: content.problem });
    return content;
  };

  /** What may be said about a file that was only found; undefined where the user named or accepted it. */
  async describe(
    file: string | undefined,
    problems: readonly FileProblem[],
  ): Promise<readonly FileProblem[] | undefined> {
    const [first] = problems;
    if (file === undefined || first === undefined || (await this.isOwn(file))) return undefined;
    if (this.#unread.length > 0) return this.#unread.map((problem) => ({ ...problem, hint: IGNORED }));
    const { line, column } = first.file === file ? first : { line: 1, column: 1 };
    const message = `This policy was found and is not valid (problems: ${problems.length}).`;
    return [{ file, line, column, message, hint: `${IGNORED} \`castellan policy check\` shows them.` }];
  }
}

const IGNORED = 'It was only found here, so it is ignored and the built-in baseline is in force.';
