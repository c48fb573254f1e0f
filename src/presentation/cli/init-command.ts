import type { TrustStore } from '../../application/ports/permission/trust-store.js';
import { Result } from '../../domain/result.js';
import { connectHelp } from './connect-help.js';
import type { ExitCode, Output } from './output.js';

/** A file that `init` creates. */
export interface InitFile {
  readonly path: string;
  isThere(): Promise<boolean>;
  /** Replaces whatever has the name, even a link, and never writes through it. */
  write(): Promise<Result<WrittenFile>>;
}

/** The previous content is kept until one of the two is called. */
export interface WrittenFile {
  keep(): Promise<void>;
  undo(): Promise<Result<void>>;
}

export interface InitSurroundings {
  readonly files: readonly InitFile[];
  readonly trust: TrustStore;
  /** The command with which a client starts this server. */
  readonly command: readonly string[];
  readonly workspace: string;
  /** Excludes our files from the repository, if there is one; returns what was done as text. */
  excludeFromGit?(): Promise<string | undefined>;
}

/** `castellan init`: writes all files or none; they are trusted, because their user asked for them. */
export async function initCommand(
  { files, trust, command, workspace, excludeFromGit }: InitSurroundings,
  options: { readonly force?: boolean },
  output: Output,
): Promise<ExitCode> {
  const there: string[] = [];
  for (const file of files) if (await file.isThere()) there.push(file.path);
  if (there.length > 0 && options.force !== true) {
    output.err(
      `${there.join(' and ')} ${there.length === 1 ? 'is' : 'are'} there already. Nothing was written.`,
    );
    output.err('Use --force to overwrite, or `castellan trust` to accept the existing files.');
    return 1;
  }
  const written = await writeAndTrust(files, trust);
  if (!written.success) {
    output.err(`${written.error} Correct this, then run \`castellan init\` again.`);
    return 3;
  }
  for (const { path } of files) output.out(`${path} written and trusted.`);
  const ignored = await excludeFromGit?.();
  if (ignored !== undefined) output.out(ignored);
  const [program = 'castellan', ...args] = command;
  output.out('');
  output.out(connectHelp(program, args, workspace));
  output.out('');
  output.out('Next: `castellan policy check` prints what the policy grants. After you edit a file,');
  output.out(
    '`castellan trust` accepts the new content; until then the file can only restrict the baseline.',
  );
  return 0;
}

async function writeAndTrust(files: readonly InitFile[], trust: TrustStore): Promise<Result<void>> {
  const written: WrittenFile[] = [];
  for (const file of files) {
    const made = await file.write();
    if (!made.success) return takeBack(written, made.error);
    written.push(made.value);
  }
  const trusted = await trust.trust(...files.map(({ path }) => path));
  if (!trusted.success) return takeBack(written, trusted.error);
  for (const file of written) await file.keep();
  return Result.ok(undefined);
}

async function takeBack(written: readonly WrittenFile[], why: string): Promise<Result<void>> {
  const stuck: string[] = [];
  for (const file of written) {
    const undone = await file.undo();
    if (!undone.success) stuck.push(undone.error);
  }
  const left = stuck.length === 0 ? 'Nothing was written' : `${stuck.join(' ')} The rest was not written`;
  return Result.failure(`${left}: ${why}`, 'NotInitialised');
}
