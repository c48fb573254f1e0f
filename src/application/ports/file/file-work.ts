import type { LandedFile } from '../../../domain/file/landed-file.js';

/** Whether the work is wanted no longer. An AbortSignal says so too, but making one costs more than most reads. */
export interface StopSignal {
  readonly aborted: boolean;
}

/** Work on files, as whoever asked for it follows it. */
export interface FileWork extends StopSignal {
  /** Told of every file that was written whole, once it was read back under its name. */
  landed?(file: LandedFile): void;
}
