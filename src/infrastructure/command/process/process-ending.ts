export interface CommandOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
}

export type ProcessEnding =
  | {
      readonly kind: 'exited';
      /** False: what was to prepare the command ended before the command began. */
      readonly begun: boolean;
      readonly exitCode: number;
      readonly signal: string | undefined;
      readonly output: CommandOutput;
      readonly durationMs: number;
      /** Names of what it had left running. */
      readonly left?: readonly string[];
      /** Sentences about processes of it that were ended for what they held. */
      readonly lost?: readonly string[];
    }
  | { readonly kind: 'timeout' | 'memory'; readonly output: CommandOutput }
  /** Somebody who watched it had a reason. */
  | { readonly kind: 'ended'; readonly why: string; readonly output: CommandOutput }
  /** It was set up, looked at and not let go. */
  | { readonly kind: 'not-admitted'; readonly why: string }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'not-started' | 'not-saved'; readonly error: Error };

export function mebibytes(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Math.floor(bytes / 1024 / 1024)} MiB` : `${Math.floor(bytes / 1024)} KiB`;
}
