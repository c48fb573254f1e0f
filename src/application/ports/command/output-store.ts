import type { ServiceIdentifier } from 'inversify';
import type { PathView } from '../../../domain/permission/policy/path-view.js';
import type { Result } from '../../../domain/result.js';
import type { ToolError } from '../../../domain/tool/tool-error.js';

/** Stores the whole output of one command while it runs. */
export interface OutputSpool {
  /** Rejects if it cannot be stored. */
  write(chunk: Uint8Array): Promise<void>;
  /** Moves the complete output to its target; returns the number of bytes. */
  keep(): Promise<Result<number, ToolError>>;
  /** Deletes it. */
  discard(): Promise<void>;
}

export interface SpoolRequest {
  /** Absolute. */
  readonly target: string;
  readonly paths: PathView;
  /** Writing more than this fails. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** Keeps outputs that are too long for a result. Nothing is at the target before keep() has succeeded. */
export interface OutputStore {
  open(request: SpoolRequest): Promise<Result<OutputSpool, ToolError>>;
}

export const OutputStore: ServiceIdentifier<OutputStore> = Symbol.for('castellan.OutputStore');
