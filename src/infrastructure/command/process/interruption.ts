/** Why a command is ended before it ends by itself. */
export type Interruption =
  | { readonly kind: 'timeout' | 'memory' | 'cancelled' | 'not-saved' }
  | { readonly kind: 'ended' | 'not-admitted'; readonly why: string };

/** What is asked to end may tidy up for so long. */
export const GRACE_MS = 3_000;

/** Nothing is wrong with the command: its time is over, or nobody wants it any more. It is asked before it is ended. */
export function isGentle({ kind }: Interruption): boolean {
  return kind === 'timeout' || kind === 'cancelled';
}
