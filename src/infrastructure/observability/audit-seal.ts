import { hash } from 'node:crypto';
import type { TextDigest } from '../../domain/canonical-json.js';

const BLOCK = 64;

function padded(key: string, byte: number): string {
  let text = '';
  for (let at = 0; at < BLOCK; at += 1) text += String.fromCharCode(key.charCodeAt(at) ^ byte);
  return text;
}

/**
 * HMAC-SHA256 with a key of 64 hexadecimal characters: exactly one block of ASCII, so that both padded keys
 * are ASCII too and the one-shot hash can take strings. Half the cost of createHmac on short messages.
 */
export class AuditSeal {
  readonly #inner: string;
  readonly #outer = Buffer.alloc(BLOCK + 32);
  readonly #argumentKey: string;

  constructor(key: string) {
    this.#inner = padded(key, 0x36);
    this.#outer.write(padded(key, 0x5c), 'latin1');
    this.#argumentKey = padded(this.hmac('castellan arguments', 'hex'), 0);
  }

  hmac(text: string, encoding: 'base64url' | 'hex' = 'base64url'): string {
    this.#outer.write(hash('sha256', this.#inner + text, 'binary'), BLOCK, 'latin1');
    return hash('sha256', this.#outer, encoding);
  }

  readonly seal = (previous: string, body: string): string => this.hmac(`${previous}\n${body}`);

  /** A keyed pseudonym: equal texts are seen to be equal, and nobody without the key can guess them.
   * Half of the hash is kept, which also closes the length extension of a prefixed key. */
  readonly pseudonym: TextDigest = (text) => hash('sha256', this.#argumentKey + text, 'hex').slice(0, 32);
}
