import { injectable } from 'inversify';
import type { TextFormats } from '../../../application/ports/file/text-formats.js';
import { PROBE_BYTES, probeMedia } from './media-probe.js';
import { decodeText, detectEncoding, encodeText } from './text-codec.js';
import { unifiedDiff } from './unified-diff.js';

/** Loads each package when the first file needs it. */
@injectable()
export class LazyTextFormats implements TextFormats {
  readonly probeBytes = PROBE_BYTES;
  readonly probe = probeMedia;
  readonly decode = decodeText;
  readonly encode = encodeText;
  readonly detectEncoding = detectEncoding;
  readonly diff = unifiedDiff;
}
