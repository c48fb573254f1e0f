import { isAscii } from 'node:buffer';
import type { MediaProbe } from '../../../application/ports/file/text-formats.js';
import { encodingOfBom } from './text-codec.js';

/** The number of bytes from the start of a file that `probeMedia` needs. */
export const PROBE_BYTES = 4100;

const UNKNOWN = 'application/octet-stream';

export async function probeMedia(head: Uint8Array): Promise<MediaProbe> {
  if (head.length === 0 || encodingOfBom(head) !== undefined || isPlainAscii(head)) return { kind: 'text' };
  const { fileTypeFromBuffer } = await import('file-type');
  const type = await fileTypeFromBuffer(head);
  const [family] = type?.mime.split('/') ?? [];
  if (type !== undefined && (family === 'image' || family === 'audio'))
    return { kind: family, mimeType: type.mime };
  // Short text with one byte per character and accented letters would be taken for a binary.
  if (type === undefined && !hasControls(head)) return { kind: 'text' };
  const { isBinaryFile } = await import('isbinaryfile');
  if (!(await isBinaryFile(Buffer.from(head), head.length))) return { kind: 'text' };
  return { kind: 'binary', mimeType: type?.mime ?? UNKNOWN };
}

/** Nearly every file an agent reads: no package has to be loaded. %PDF is a binary that begins like text. */
function isPlainAscii(head: Uint8Array): boolean {
  if (head[0] === 0x25 && head[1] === 0x50) return false;
  return isAscii(head) && !hasControls(head);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROLS = /[\x00-\x07\x0e-\x1a\x1c-\x1f\x7f]/;

/** A string is faster to search than bytes. */
function hasControls(head: Uint8Array): boolean {
  return CONTROLS.test(Buffer.from(head.buffer, head.byteOffset, head.length).toString('latin1'));
}
