import type { Result } from '../../domain/result.js';
import type { ExitCode, Output } from './output.js';

/** The command's dependencies. `before` is in milliseconds since 1970. */
export interface AuditArchiving {
  export(target: string, before: number): Promise<Result<readonly string[]>>;
  prune(before: number, now: number): Promise<Result<readonly string[]>>;
  acceptMissing(): Promise<Result<readonly string[]>>;
}

export interface AuditExportOptions {
  readonly before?: number;
}

export interface AuditPruneOptions {
  readonly before?: number;
  readonly missing?: boolean;
}

/** `castellan audit export FOLDER`: copies finished segments. */
export async function auditExportCommand(
  archive: AuditArchiving,
  target: string,
  { before }: AuditExportOptions,
  now: number,
  output: Output,
): Promise<ExitCode> {
  const exported = await archive.export(target, before ?? now);
  if (!exported.success) return failed(exported.error, output);
  for (const name of exported.value) output.out(name);
  output.out(
    exported.value.length === 0
      ? 'Nothing was exported: no finished segment is old enough.'
      : `${exported.value.length} segments are in ${target}. Check them with: castellan audit verify ${target}`,
  );
  return 0;
}

/** `castellan audit prune --before AGE | --missing`. */
export async function auditPruneCommand(
  archive: AuditArchiving,
  { before, missing }: AuditPruneOptions,
  now: number,
  output: Output,
): Promise<ExitCode> {
  if ((before === undefined) === (missing !== true)) {
    output.err(
      'Say what to prune: --before 90d removes older segments; --missing accepts those you moved yourself.',
    );
    return 2;
  }
  const pruned = before === undefined ? await archive.acceptMissing() : await archive.prune(before, now);
  if (!pruned.success) return failed(pruned.error, output);
  for (const name of pruned.value) output.out(name);
  const count = pruned.value.length;
  if (before === undefined)
    output.out(count === 0 ? 'No segment is missing at the beginning.' : `${count} noted as archived.`);
  else output.out(count === 0 ? 'No finished segment is old enough.' : `${count} segments removed.`);
  return 0;
}

function failed(error: string, output: Output): ExitCode {
  output.err(error);
  return 1;
}
