import type { LandedFile } from '../../../domain/file/landed-file.js';

/** Tells whether work was cancelled. An AbortSignal would do, but creating one costs more than most reads. */
export interface StopSignal {
  readonly aborted: boolean;
}

/** File work, with callbacks for its caller. */
export interface FileWork extends StopSignal {
  /** Called for every file that was written, after its content was read back. */
  landed?(file: LandedFile): void;
}
