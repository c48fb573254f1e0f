/** What binds a record to everything before it: a keyed hash over the value before and the record's text. */
export type ChainSeal = (previous: string, body: string) => string;

/** Where a segment stands: how many whole records, and the seal of the last. */
export interface ChainPosition {
  readonly count: number;
  readonly seal: string;
}

/** The segment before this one, as far as it was known when this one began. */
export interface SegmentLink extends ChainPosition {
  readonly segment: string;
}

/** Where one record is. */
export type RecordPlace = Pick<SegmentLink, 'segment' | 'count'>;

export const CHAIN_START: ChainPosition = { count: 0, seal: '' };

const MARK = ',"seal":"';
const SEAL_LENGTH = 43;
const TAIL_LENGTH = MARK.length + SEAL_LENGTH + 2;

/** What follows a body, which is the record's JSON without its closing brace, to end object and line. */
export function sealedEnd(seal: string): string {
  return `${MARK}${seal}"}\n`;
}

/** The body that was sealed, and its seal; undefined where the line has not that form. */
export function splitSealedLine(line: string): { body: string; seal: string } | undefined {
  const at = line.length - TAIL_LENGTH;
  if (at < 1 || !line.startsWith(MARK, at) || !line.endsWith('"}')) return undefined;
  return { body: line.slice(0, at), seal: line.slice(at + MARK.length, -2) };
}

/** A segment begins with a record that names it and the one before, so that files cannot be exchanged. */
export function segmentHeader(segment: string, time: string, previous: SegmentLink | undefined): string {
  const link = previous === undefined ? '' : `,"previous":${JSON.stringify(previous)}`;
  return `{"n":1,"kind":"segment","time":${JSON.stringify(time)},"segment":${JSON.stringify(segment)}${link}`;
}
