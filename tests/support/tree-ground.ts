import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ChangeTracker } from '../../src/infrastructure/command/tree/change-tracker.js';
import type { TreeProblem } from '../../src/infrastructure/command/tree/folder-scan.js';
import { RememberedPlaces } from '../../src/infrastructure/command/tree/remembered-places.js';
import type { SensitiveRules } from '../../src/infrastructure/command/tree/sensitive-rules.js';
import { type PictureParts, TreePicture } from '../../src/infrastructure/command/tree/tree-picture.js';

/** `.env` is hidden anywhere and `private` only in config/; CLAUDE.md, .vscode and workflows are protected. */
export function sampleRules(root: string): SensitiveRules {
  const isPlaced = (path: string) => path === `${root}/config/private`;
  const isHidden = (path: string) => /\/\.env$/.test(path) || isPlaced(path);
  const isFixed = (path: string) => /\/(CLAUDE\.md|\.vscode|\.github\/workflows)(\/|$)/.test(path);
  const isServerFile = (path: string) => path === `${root}/castellan.yaml`;
  return {
    isHidden,
    isNamed: isPlaced,
    namesSome: false,
    isFixed,
    isServerFile,
    concerns: (folder) => (name) =>
      [isHidden, isFixed, isServerFile].some((test) => test(`${folder}/${name}`)),
    pinnedParents: (path) => (isPlaced(path) ? Number.POSITIVE_INFINITY : 0),
  };
}

/** A folder with a picture of it. */
export class TreeGround {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-tree-')));
  readonly root = join(this.base, 'ws');
  readonly state = join(this.base, 'state');
  tracker = new ChangeTracker(join(this.state, 'watch'));
  places = this.newPlaces();
  readonly pictures: TreePicture[] = [];

  constructor() {
    mkdirSync(this.root);
  }

  newPlaces(): RememberedPlaces {
    return new RememberedPlaces(this.state, this.root, () => undefined);
  }

  put(path: string, text = 'x\n'): string {
    const whole = join(this.root, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, text);
    return whole;
  }

  folder(path: string): string {
    const whole = join(this.root, path);
    mkdirSync(whole, { recursive: true });
    return whole;
  }

  picture(parts: Partial<PictureParts> = {}): TreePicture {
    const { tracker, places, root } = this;
    const picture = new TreePicture({ roots: [root], rules: sampleRules(root), tracker, places, ...parts });
    this.pictures.push(picture);
    return picture;
  }

  /** Refreshed, and what it found of a kind, below the root. */
  async found(picture: TreePicture, kind: 'hide' | 'fixed' | 'git'): Promise<readonly string[]> {
    const problem = await picture.refresh();
    if (problem !== undefined) throw new Error(`${problem.kind} in ${problem.folder}`);
    return this.relative(picture.findings.paths(kind));
  }

  async problem(picture: TreePicture): Promise<TreeProblem | undefined> {
    return picture.refresh();
  }

  relative(paths: readonly string[]): readonly string[] {
    return paths.map((path) => path.slice(this.root.length + 1)).sort();
  }

  async remove(): Promise<void> {
    for (const picture of this.pictures) await picture.close();
    this.tracker.close();
    rmSync(this.base, { recursive: true, force: true });
  }
}
