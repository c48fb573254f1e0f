import { isJsonObject } from '../json-value.js';
import { type ChainPosition, type ChainSeal, splitSealedLine } from './audit-chain.js';

/**
 * What is certain about a segment. `open`: at least `count` records, more may follow; `closed`: exactly
 * `count`; `retired`: retention removed the records and only this head is left.
 */
export interface AuditHead extends ChainPosition {
  readonly segment: string;
  readonly state: 'open' | 'closed' | 'retired';
  /**
   * Records that were waiting when a write to disk failed (default: none). They are on disk if the segment
   * continues.
   */
  readonly unwritten?: number;
}

export function parseAuditHead(line: string, seal: ChainSeal): AuditHead | undefined {
  const parts = splitSealedLine(line);
  if (parts === undefined || seal('head', parts.body) !== parts.seal) return undefined;
  const head: unknown = JSON.parse(`${parts.body}}`);
  return isAuditHead(head) ? head : undefined;
}

function isAuditHead(head: unknown): head is AuditHead {
  if (!isJsonObject(head)) return false;
  const { segment, state, count, seal, unwritten = 0 } = head;
  const known = state === 'open' || state === 'closed' || state === 'retired';
  return (
    known &&
    typeof segment === 'string' &&
    typeof count === 'number' &&
    typeof seal === 'string' &&
    typeof unwritten === 'number'
  );
}
