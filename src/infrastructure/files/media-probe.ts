import type { MediaProbe } from '../../application/ports/text-formats.js';
import { encodingOfBom } from './text-codec.js';

/** How many bytes from the start of a file `probeMedia` wants to see. */
export const PROBE_BYTES = 4100;

const UNKNOWN = 'application/octet-stream';

export async function probeMedia(head: Uint8Array): Promise<MediaProbe> {
  if (head.length === 0 || encodingOfBom(head) !== undefined || isPlainAscii(head)) return { kind: 'text' };
  const { fileTypeFromBuffer } = await import('file-type');
  const type = await fileTypeFromBuffer(head);
  const [family] = type?.mime.split('/') ?? [];
  if (type !== undefined && (family === 'image' || family === 'audio'))
    return { kind: family, mimeType: type.mime };
  // Text of one byte a character is taken for a binary where it is short and has letters with accents.
  if (type === undefined && !hasControls(head)) return { kind: 'text' };
  const { isBinaryFile } = await import('isbinaryfile');
  if (!(await isBinaryFile(Buffer.from(head), head.length))) return { kind: 'text' };
  return { kind: 'binary', mimeType: type?.mime ?? UNKNOWN };
}

/** Nearly every file an agent reads: no package has to be loaded for it. %PDF is a binary that begins so. */
function isPlainAscii(head: Uint8Array): boolean {
  if (head[0] === 0x25 && head[1] === 0x50) return false;
  return head.every((byte) => (byte >= 0x20 && byte < 0x7f) || (byte >= 0x09 && byte <= 0x0d));
}

function hasControls(head: Uint8Array): boolean {
  return head.some((byte) => byte < 0x08 || (byte > 0x0d && byte < 0x20 && byte !== 0x1b) || byte === 0x7f);
}
