/** Where the sides of one repository lie, as paths of the machine. */
export interface AirlockPlace {
  readonly real: string;
  readonly private: string;
  /** The folder of the airlock; `private` lies in it. */
  readonly state: string;
  /** Where its files lie, as commands see it. */
  readonly workspace: string;
  /** The workspace is a linked worktree: what of others is theirs alone stays as it is. */
  readonly only?: string;
}

export interface CarryConflict {
  readonly unit: string;
  readonly item: string;
  /** The ref under which the command's commit is kept. */
  readonly kept?: string;
}

/** What a carriage did. */
export interface CarryReport {
  /** Something was written. */
  readonly changed: boolean;
  /** Something waits: a lock is held on one side. */
  readonly busy: boolean;
  readonly conflicts: readonly CarryConflict[];
  /** What stays inside, told for the first time. */
  readonly inside: readonly string[];
  /** Sentences about what is wrong inside. */
  readonly notes: readonly string[];
  /** How many commits came through. */
  readonly commits: number;
  /** The user signs commits, which commands cannot. */
  readonly unsigned: boolean;
  /** Where it was asked for. */
  readonly status?: AirlockStatus;
}

export interface CarryOptions {
  /** Commands are running: locks that are held inside are somebody's. */
  readonly isLive: boolean;
}

export type CarryWork = 'sync' | 'adopt' | 'status' | 'discard' | 'restore';

/** A commit that a command's work has replaced or deleted. */
export interface KeptTip {
  /** The ref that stood for it. */
  readonly name: string;
  readonly tip: string;
  readonly at: string;
}

/** What people ask about. */
export interface AirlockStatus {
  /** A command has run here. */
  readonly isSetUp: boolean;
  /** What one side has and the other has not yet. */
  readonly waiting: readonly { readonly side: 'commands' | 'user'; readonly item: string }[];
  /** Refs under which commits of commands are kept that the user's had to give way to. */
  readonly conflicts: readonly string[];
  readonly kept: readonly KeptTip[];
  /** Private git folders that were destroyed, discarded or whose real one was replaced. */
  readonly aside: readonly string[];
}

/** One line of the carrier's input. */
export interface CarrierRequest extends CarryOptions {
  readonly id: number;
  readonly work: CarryWork;
  readonly place: AirlockPlace;
  /** Which commit is to be restored. */
  readonly tip?: string;
}

export type CarrierAnswer =
  | { readonly id: number; readonly report: CarryReport }
  | { readonly id: number; readonly fault: string };

/** Longer answers come in pieces: only the last one of an answer begins with a full stop. */
export const PIECE = 3_000;

export function piecesOf(answer: CarrierAnswer): string {
  const text = JSON.stringify(answer);
  const pieces = text.match(new RegExp(`[^]{1,${PIECE}}`, 'g')) ?? [];
  return pieces.map((piece, index) => `${index === pieces.length - 1 ? '.' : '+'}${piece}\n`).join('');
}
