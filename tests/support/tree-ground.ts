import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isGitControl } from '../../src/infrastructure/command/git/door-names.js';
import { dependencyRules } from '../../src/infrastructure/command/runner/policy-rules.js';
import { ChangeTracker } from '../../src/infrastructure/command/workspace/change-tracker.js';
import { DeniedObjectStore } from '../../src/infrastructure/command/workspace/denied-object-store.js';
import type { TreeProblem } from '../../src/infrastructure/command/workspace/folder-scan.js';
import type { SensitiveRules } from '../../src/infrastructure/command/workspace/sensitive-rules.js';
import {
  WatchedTree,
  type WatchedTreeOptions,
} from '../../src/infrastructure/command/workspace/watched-tree.js';

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
    dependencies: dependencyRules(root, isPlaced),
  };
}

/** A folder with a tree of it. */
export class TreeGround {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-tree-')));
  readonly root = join(this.base, 'ws');
  readonly state = join(this.base, 'state');
  tracker = new ChangeTracker(join(this.state, 'watch'));
  places = this.newPlaces();
  readonly pictures: WatchedTree[] = [];

  constructor() {
    mkdirSync(this.root);
  }

  newPlaces(): DeniedObjectStore {
    return new DeniedObjectStore(this.state, this.root, () => undefined);
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

  tree(parts: Partial<WatchedTreeOptions> = {}): WatchedTree {
    const { tracker, places, root } = this;
    const rules = sampleRules(root);
    const tree = new WatchedTree({
      roots: [root],
      rules,
      tracker,
      places,
      countsAnyway: isGitControl,
      ...parts,
    });
    this.pictures.push(tree);
    return tree;
  }

  /** Refreshed, and what it found of a kind, below the root. */
  async found(tree: WatchedTree, kind: 'hide' | 'fixed' | 'git'): Promise<readonly string[]> {
    const problem = await tree.refresh();
    if (problem !== undefined) throw new Error(`${problem.kind} in ${problem.folder}`);
    return this.relative(tree.matches.paths(kind));
  }

  async problem(tree: WatchedTree): Promise<TreeProblem | undefined> {
    return tree.refresh();
  }

  relative(paths: readonly string[]): readonly string[] {
    return paths.map((path) => path.slice(this.root.length + 1)).sort();
  }

  async remove(): Promise<void> {
    for (const tree of this.pictures) await tree.close();
    this.tracker.close();
    rmSync(this.base, { recursive: true, force: true });
  }
}
