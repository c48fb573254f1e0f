import type { AttackGround } from './attack-ground.js';

/**
 * refused: an error. hidden: an answer that shows nothing. bounded: an answer in time and of a size.
 * No answer ever has the canary in it, and nothing that may not be touched is touched.
 */
export type Defence = 'refused' | 'hidden' | 'bounded';

export interface FileAttack {
  readonly kind: string;
  readonly how: string;
  readonly tool: string;
  readonly args: (ground: AttackGround) => Readonly<Record<string, unknown>>;
  readonly expect: Defence;
  /** Proved with the guards alone as well, or with the policy alone. */
  readonly alone?: 'guards' | 'policy' | 'either';
}

type Arguments =
  | Readonly<Record<string, unknown>>
  | ((ground: AttackGround) => Readonly<Record<string, unknown>>);

/** A row of a table: how, tool, arguments. */
export type AttackRow = readonly [how: string, tool: string, args: Arguments, expect?: Defence];

export function attacks(
  kind: string,
  alone: FileAttack['alone'] | undefined,
  rows: readonly AttackRow[],
): readonly FileAttack[] {
  return rows.map(([how, tool, args, expect = 'refused']) => ({
    kind,
    how,
    tool,
    args: typeof args === 'function' ? args : () => args,
    expect,
    ...(alone !== undefined && { alone }),
  }));
}

export const gone = { explicit_action: 'DELETE_PATH' };
