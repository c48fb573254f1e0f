import type { Result } from '../../domain/result.js';
import { type ExitCode, type Output, table } from './output.js';

export interface TrustOptions {
  readonly list?: boolean;
  readonly diff?: boolean;
  readonly revoke?: boolean;
}

export interface TrustedFile {
  readonly path: string;
  readonly hash: string;
  readonly state: 'trusted' | 'changed' | 'gone';
}

/** The command's dependencies. */
export interface TrustSurroundings {
  /** The files in question: the named one, else those of the workspace. */
  files(): Promise<readonly string[]>;
  list(): Promise<Result<readonly TrustedFile[]>>;
  /** The change since it was accepted, as `diff -u`; undefined if that is not known. */
  diff(file: string): Promise<string | undefined>;
  /** Why the file cannot be used as policy or settings; undefined if it can. */
  problemOf(file: string): Promise<string | undefined>;
  trust(...files: readonly string[]): Promise<Result<readonly string[]>>;
  revoke(file: string): Promise<Result<boolean>>;
}

/** `castellan trust [FILE]`: records the hashes of the current files, all or none; shows or revokes them. */
export async function trustCommand(
  trust: TrustSurroundings,
  options: TrustOptions,
  output: Output,
): Promise<ExitCode> {
  if (options.list === true) return listTrusted(trust, output);
  const files = await trust.files();
  if (files.length === 0) {
    output.err('There is no policy or settings file here to trust. `castellan init` writes both.');
    return 1;
  }
  if (options.revoke === true) return revokeTrust(trust, files, output);
  if (options.diff === true) {
    for (const file of files) {
      const diff = await trust.diff(file);
      if (diff === undefined) output.out(`${file}: there is no trusted version to compare it with.`);
      else if (diff === '') output.out(`${file} did not change since it was trusted.`);
      else output.out(changes(diff));
    }
    return 0;
  }
  return acceptFiles(trust, files, output);
}

async function listTrusted(trust: TrustSurroundings, output: Output): Promise<ExitCode> {
  const listed = await trust.list();
  if (!listed.success) {
    output.err(listed.error);
    return 3;
  }
  const rows = listed.value.map(({ path, hash, state }) => [state, hash.slice(0, 19), path]);
  output.out(rows.length === 0 ? 'No file is trusted.' : table(['STATE', 'HASH', 'FILE'], rows, output));
  return 0;
}

async function revokeTrust(
  trust: TrustSurroundings,
  files: readonly string[],
  output: Output,
): Promise<ExitCode> {
  for (const file of files) {
    const revoked = await trust.revoke(file);
    if (!revoked.success) {
      output.err(revoked.error);
      return 3;
    }
    output.out(revoked.value ? `${file} is no longer trusted.` : `${file} was not trusted.`);
  }
  return 0;
}

async function acceptFiles(
  trust: TrustSurroundings,
  files: readonly string[],
  output: Output,
): Promise<ExitCode> {
  for (const file of files) {
    const problem = await trust.problemOf(file);
    if (problem === undefined) continue;
    output.err(problem);
    return 3;
  }
  for (const file of files) await showDiff(trust, file, output);
  const trusted = await trust.trust(...files);
  if (!trusted.success) {
    output.err(trusted.error);
    return 3;
  }
  for (const [index, file] of files.entries()) {
    output.out(`${file} is trusted as it is now (${trusted.value[index]}).`);
  }
  output.out('See what it grants with `castellan policy check`.');
  return 0;
}

/** Prints nothing if the file was never trusted or did not change. */
async function showDiff(trust: TrustSurroundings, file: string, output: Output): Promise<void> {
  const diff = await trust.diff(file);
  if (diff !== undefined && diff !== '') output.out(changes(diff));
}

function changes(diff: string): string {
  return `Changed since it was trusted:\n${diff.trimEnd()}`;
}
