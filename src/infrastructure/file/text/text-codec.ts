import { isAscii, isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import type { DecodedText } from '../../../application/ports/file/text-formats.js';
import { Result } from '../../../domain/result.js';

const SAMPLE = 64 * 1024;

/** A byte order mark always wins over what the caller thinks. */
export function encodingOfBom(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

/** Text exactly as it is in the bytes, or the encoding that it seems to have instead. */
export async function decodeText(bytes: Uint8Array, encoding = 'utf-8'): Promise<Result<DecodedText>> {
  const marked = encodingOfBom(bytes);
  const name = marked ?? encoding;
  // Nearly every file: checked and copied by the engine, without a decoder.
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

/** A guess, and undefined where nothing fits. */
export async function detectEncoding(bytes: Uint8Array): Promise<string | undefined> {
  const marked = encodingOfBom(bytes);
  if (marked !== undefined) return marked;
  const { analyse } = (await import('chardet')).default;
  const names = analyse(bytes.subarray(0, SAMPLE)).map((guess) => guess.name.toLowerCase());
  return names.find((name) => decoderOf(name) !== undefined);
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
