import type { ServiceIdentifier } from 'inversify';
import type { Result } from '../../../domain/result.js';

export interface DecodedText {
  readonly text: string;
  /** The encoding that was used, in the name the WHATWG standard has for it. */
  readonly encoding: string;
  /** The text begins with a byte order mark, which is part of `text`. */
  readonly bom: boolean;
}

/** What the first bytes of a file say about it. */
export type MediaProbe =
  | { readonly kind: 'text' }
  | { readonly kind: 'image' | 'audio' | 'binary'; readonly mimeType: string };

/** Bytes to text and back, and what kind of file bytes are. */
export interface TextFormats {
  /** How many bytes from the start of a file `probe` wants to see. */
  readonly probeBytes: number;
  probe(head: Uint8Array): Promise<MediaProbe>;
  /** A byte order mark wins over the encoding given. Wrong bytes are a failure that names the likely encoding. */
  decode(bytes: Uint8Array, encoding?: string): Promise<Result<DecodedText>>;
  /** Characters that the encoding does not have are a failure, never a question mark. */
  encode(text: string, encoding?: string): Promise<Result<Uint8Array>>;
  /** A guess, and undefined where nothing fits. */
  detectEncoding(bytes: Uint8Array): Promise<string | undefined>;
  /** As `diff -u` shows it; empty where nothing changed. */
  diff(path: string, before: string, after: string): Promise<string>;
}

export const TextFormats: ServiceIdentifier<TextFormats> = Symbol.for('castellan.TextFormats');
