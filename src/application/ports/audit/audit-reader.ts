import type { ServiceIdentifier } from 'inversify';
import type { ChainSeal } from '../../../domain/audit/audit-chain.js';
import type { AuditHead } from '../../../domain/audit/audit-head-state.js';
import type { Result } from '../../../domain/result.js';

/**
 * A line of a segment. The text is undefined if the bytes are not UTF-8; a fragment has no line break yet.
 */
export interface AuditFileLine {
  readonly text: string | undefined;
  readonly fragment: boolean;
}

export interface AuditSegmentFile {
  readonly name: string;
  /** False if only the head file is left. */
  readonly present: boolean;
  /** undefined if it is missing or not sealed with the log's key. */
  readonly head: AuditHead | undefined;
  lines(): AsyncIterable<AuditFileLine>;
  /** The last complete lines, oldest first. */
  lastLines(count: number): Promise<readonly string[]>;
}

export interface AuditFiles {
  readonly seal: ChainSeal;
  /** Oldest first. */
  readonly segments: readonly AuditSegmentFile[];
  /** True if a single segment was requested: linked ones are not read. */
  readonly single: boolean;
}

/** Reads what an audit log wrote, without trusting it. */
export interface AuditReader {
  /** Opens the whole log, one segment by path, or those in a directory. */
  open(file?: string): Promise<Result<AuditFiles>>;
}

export const AuditReader: ServiceIdentifier<AuditReader> = Symbol.for('castellan.AuditReader');
