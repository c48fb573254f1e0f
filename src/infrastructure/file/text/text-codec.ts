import { isAscii, isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import type { DecodedText } from '../../../application/ports/file/text-formats.js';
import { Result } from '../../../domain/result.js';

const SAMPLE = 64 * 1024;

const EUROPEAN: ReadonlySet<string> = new Set(['ascii', 'iso-8859-1', 'iso-8859-2', 'windows-1257']);
/** Within a word these bytes are ą, ł, ś, š, ť, ź, ž and ż; in Latin-1 they are signs such as ± and ¾. */
const CENTRAL_LETTER = /[A-Za-z\xc0-\xff][\xb1\xb3\xb6\xb9\xbb\xbc\xbe\xbf][a-z\xdf-\xff]/;
/** À, Å, à, å, ê, ï, ñ and ò; in iso-8859-2 these bytes are rare, or occur with the letters above. */
const WESTERN_LETTER = /[\xc0\xc5\xe0\xe5\xea\xef\xf1\xf2]/;

/** A byte order mark always overrides what the caller says. */
export function encodingOfBom(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

/** Returns the text exactly as encoded, or the encoding that it seems to have instead. */
export async function decodeText(bytes: Uint8Array, encoding = 'utf-8'): Promise<Result<DecodedText>> {
  const marked = encodingOfBom(bytes);
  const name = marked ?? encoding;
  // Nearly every file: validated and copied by the engine, without a decoder.
  if ((name === 'utf-8' || name === 'utf8') && isUtf8(bytes)) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(
      isAscii(bytes) ? 'latin1' : 'utf8',
    );
    return Result.ok({ text, encoding: 'utf-8', bom: marked !== undefined });
  }
  const decoder = decoderOf(name);
  if (decoder === undefined) return unknownEncoding(encoding);
  try {
    const text = decoder.decode(bytes);
    return Result.ok({ text, encoding: decoder.encoding, bom: text.startsWith('\uFEFF') });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const detected = await detectEncoding(bytes);
    return Result.failure(
      `The bytes are no ${decoder.encoding}. They look like ${detected ?? 'binary data'}` +
        `${detected === undefined ? '.' : `; read the file with encoding "${detected}".`}`,
      'EncodingError',
    );
  }
}

/** A guess; undefined if nothing fits. */
export async function detectEncoding(bytes: Uint8Array): Promise<string | undefined> {
  const marked = encodingOfBom(bytes);
  if (marked !== undefined) return marked;
  const { analyse } = (await import('chardet')).default;
  const sample = bytes.subarray(0, SAMPLE);
  const names = analyse(sample).map((guess) => guess.name.toLowerCase());
  const isWrong = (name: string) => name === 'utf-8' && !isUtf8(bytes);
  const best = names.find((name) => decoderOf(name) !== undefined && !isWrong(name));
  return best === undefined || !EUROPEAN.has(best) || isAscii(sample) ? best : europeanOf(best, sample);
}

/** Letter frequencies distinguish these only in long texts; a few letters do so in short ones. */
function europeanOf(guess: string, sample: Uint8Array): string {
  const text = Buffer.from(sample.buffer, sample.byteOffset, sample.length).toString('latin1');
  if (CENTRAL_LETTER.test(text)) return 'iso-8859-2';
  const isWestern = guess === 'ascii' || (guess === 'iso-8859-2' && WESTERN_LETTER.test(text));
  return isWestern ? 'windows-1252' : guess;
}

/** The bytes of a text in an encoding; characters that it does not have are an error, not a question mark. */
export async function encodeText(text: string, encoding = 'utf-8'): Promise<Result<Uint8Array>> {
  if (/^utf-?8$/i.test(encoding)) return Result.ok(new TextEncoder().encode(text));
  const { default: iconv } = await import('iconv-lite');
  if (!iconv.encodingExists(encoding)) return unknownEncoding(encoding);
  const bytes = iconv.encode(text, encoding, { addBOM: false });
  if (iconv.decode(bytes, encoding, { stripBOM: false }) === text) return Result.ok(bytes);
  return Result.failure(
    `The text has characters that ${encoding} cannot hold. Write it as utf-8, or leave them out.`,
    'EncodingError',
  );
}

function decoderOf(encoding: string): TextDecoder | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function unknownEncoding(encoding: string) {
  return Result.failure(
    `Unknown encoding ${JSON.stringify(encoding)}. Use utf-8, utf-16le, windows-1252, shift_jis or another name of the WHATWG list.`,
    'EncodingError',
  );
}
