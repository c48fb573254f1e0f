import type { ServiceIdentifier } from 'inversify';
import type { Result } from '../../../domain/result.js';

export interface DecodedText {
  readonly text: string;
  /** The encoding that was used, by its WHATWG name. */
  readonly encoding: string;
  /** True if the text begins with a byte order mark, which is part of `text`. */
  readonly bom: boolean;
}

/** What the first bytes of a file say about it. */
export type MediaProbe =
  | { readonly kind: 'text' }
  | { readonly kind: 'image' | 'audio' | 'binary'; readonly mimeType: string };

/** Converts bytes to text and back, and detects the kind of a file. */
export interface TextFormats {
  /** The number of bytes from the start of a file that `probe` needs. */
  readonly probeBytes: number;
  probe(head: Uint8Array): Promise<MediaProbe>;
  /**
   * A byte order mark overrides the given encoding. Invalid bytes are a failure that names the likely
   * encoding.
   */
  decode(bytes: Uint8Array, encoding?: string): Promise<Result<DecodedText>>;
  /** Characters that the encoding does not have are a failure, never a question mark. */
  encode(text: string, encoding?: string): Promise<Result<Uint8Array>>;
  /** A guess; undefined if nothing fits. */
  detectEncoding(bytes: Uint8Array): Promise<string | undefined>;
  /** Like `diff -u`; empty if nothing changed. */
  diff(path: string, before: string, after: string): Promise<string>;
}

export const TextFormats: ServiceIdentifier<TextFormats> = Symbol.for('castellan.TextFormats');
