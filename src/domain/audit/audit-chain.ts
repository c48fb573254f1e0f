/** Links a record to all records before it: a keyed hash over the previous seal and the record's text. */
export type ChainSeal = (previous: string, body: string) => string;

/** A position in a segment: the number of complete records, and the seal of the last one. */
export interface ChainPosition {
  readonly count: number;
  readonly seal: string;
}

/** The previous segment, as far as it was known when this one was started. */
export interface SegmentLink extends ChainPosition {
  readonly segment: string;
}

/** The position of one record. */
export type RecordPlace = Pick<SegmentLink, 'segment' | 'count'>;

export const CHAIN_START: ChainPosition = { count: 0, seal: '' };

const MARK = ',"seal":"';
const SEAL_LENGTH = 43;
const TAIL_LENGTH = MARK.length + SEAL_LENGTH + 2;

/** The text after a body (the record's JSON without its closing brace) that ends the object and the line. */
export function sealedEnd(seal: string): string {
  return `${MARK}${seal}"}\n`;
}

/** The sealed body and its seal; undefined if the line does not have that form. */
export function splitSealedLine(line: string): { body: string; seal: string } | undefined {
  const at = line.length - TAIL_LENGTH;
  if (at < 1 || !line.startsWith(MARK, at) || !line.endsWith('"}')) return undefined;
  return { body: line.slice(0, at), seal: line.slice(at + MARK.length, -2) };
}

/**
 * The first record of a segment. It names the segment and the previous one, so that files cannot be swapped.
 */
export function segmentHeader(segment: string, time: string, previous: SegmentLink | undefined): string {
  const link = previous === undefined ? '' : `,"previous":${JSON.stringify(previous)}`;
  return `{"n":1,"kind":"segment","time":${JSON.stringify(time)},"segment":${JSON.stringify(segment)}${link}`;
}
