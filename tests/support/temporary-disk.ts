import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A workspace, a neighbour that must never be touched, and a state folder, on the real disk unless told otherwise. */
export class TemporaryDisk {
  readonly base: string;
  readonly root: string;
  readonly outside: string;
  readonly state: string;

  constructor(place = tmpdir()) {
    this.base = realpathSync(mkdtempSync(join(place, 'castellan-files-')));
    this.root = join(this.base, 'workspace');
    this.outside = join(this.base, 'outside');
    this.state = join(this.base, 'state');
    for (const folder of [this.root, this.outside, this.state]) mkdirSync(folder);
  }

  file(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }

  link(path: string, target: string): void {
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(target, path);
  }

  dispose(): void {
    rmSync(this.base, { recursive: true, force: true });
  }
}
