/** A file with the digest of its content, as read back after the write. */
export interface LandedFile {
  readonly path: string;
  readonly sha256: string;
}
