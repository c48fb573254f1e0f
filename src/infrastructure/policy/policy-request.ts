import type { TrustStanding } from '../../application/ports/permission/trust-store.js';
import type { PolicySurroundings } from './compile/policy-compilation.js';

/** Which policy to load, and in which surroundings. */
export interface PolicyRequest {
  /** Absolute; absent: the baseline. */
  readonly file?: string;
  /** False: somebody else's file. It may only narrow the baseline. */
  readonly trusted: boolean | TrustCheck;
  /** Whether the user has accepted the file at this path before. Only asked where `trusted` is a check. */
  readonly known?: (file: string) => Promise<boolean>;
  readonly ceiling?: string;
  /** A ceiling of the whole machine, which applies where it exists. */
  readonly systemCeiling?: OwnedFile;
  /** The user's own policy: in force where no file is, and what files extend that do not say. */
  readonly userPolicy?: OwnedFile;
  /** Asked about a changed file that commands can write, before it is taken up while the server runs. */
  readonly approves?: TrustCheck;
  /** Files that decide as well, though they are no part of the policy: the trust store. */
  readonly alsoWatch?: readonly string[];
  readonly surroundings: PolicySurroundings;
}

/** Asked at every load, because trust is in a content and not in a name. */
export type TrustCheck = (file: string, content: Uint8Array) => Promise<boolean | TrustStanding>;

/** A file that counts only while one of these users owns it and nobody else can write it. */
export interface OwnedFile {
  readonly path: string;
  readonly owners: readonly number[];
}
