/** A file under its name, with the digest of what it held there when it was read back. */
export interface LandedFile {
  readonly path: string;
  readonly sha256: string;
}
