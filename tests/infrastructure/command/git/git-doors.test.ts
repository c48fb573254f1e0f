import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { PreparedDoors } from '../../../../src/infrastructure/command/git/door-watch.js';
import { GitDoors } from '../../../../src/infrastructure/command/git/git-doors.js';
import type { TreeChangeSource } from '../../../../src/infrastructure/command/workspace/matched-paths.js';
import { eventually } from '../../../support/eventually.js';
import { GitGround } from '../../../support/git-ground.js';

/** What a tree would tell, told by hand. */
class ToldSigns implements TreeChangeSource {
  readonly listeners = new Set<(folder: string, name: string | undefined) => void>();

  constructor(public revision: number | undefined = 1) {}

  onChange(listener: (folder: string, name: string | undefined) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  tell(folder: string, name: string | undefined): void {
    this.revision = (this.revision ?? 0) + 1;
    for (const listener of this.listeners) listener(folder, name);
  }
}

describe('GitDoors', () => {
  let ground: GitGround;
  let doors: GitDoors;
  let signs: ToldSigns;
  let ended: string[];
  const at = (path: string): string => join(ground.workspace, path);

  beforeEach(() => {
    ground = new GitGround();
    doors = new GitDoors(ground.workspace, ground.state);
    signs = new ToldSigns();
    ended = [];
  });
  afterEach(() => {
    doors.close();
    ground.remove();
  });

  function prepare(...more: string[]): PreparedDoors {
    const entries = [at('.git'), ...more.map(at)];
    return doors.prepare({ writable: [ground.workspace], entries, revision: signs.revision });
  }

  const begin = () => doors.begin(prepare().scope, signs, (why) => ended.push(why));

  /** git would fetch from there. */
  function openDoor(): void {
    mkdirSync(at('.git/remotes'), { recursive: true });
    writeFileSync(at('.git/remotes/o'), 'URL: x\n');
  }

  it('prepares the same objects as long as the revision is the same, and what is the same later', () => {
    const first = prepare();
    expect(prepare()).to.equal(first);
    signs.revision = 2;
    expect(prepare()).to.equal(first);
    mkdirSync(at('.git/modules/lib/hooks'), { recursive: true });
    signs.revision = 3;
    expect(prepare().protection.readOnlyInside).to.include(at('.git/modules/lib/hooks'));
  });

  it('finds what a command made, and takes it away', () => {
    const watch = begin();
    openDoor();
    signs.revision = 2;
    const [finding] = watch.close([]);
    expect(finding?.path).to.equal(at('.git/remotes/o'));
    expect(existsSync(at('.git/remotes/o'))).to.equal(false);
  });

  it('judges a repository of a running command in full, also where it is read-only for one that began later', () => {
    const maker = begin();
    ground.git('init', '-q', 'nested');
    writeFileSync(at('nested/.git/hooks/pre-commit'), '#!/bin/sh\n', { mode: 0o755 });
    signs.revision = 2;
    const { scope } = prepare('nested/.git');
    expect(scope.mounted).to.include(at('nested/.git'));
    const other = doors.begin(scope, signs, (why) => ended.push(why));
    expect(maker.close([at('nested/.git')]).map(({ path }) => path)).to.deep.equal([
      at('nested/.git/hooks/pre-commit'),
    ]);
    expect(existsSync(at('nested/.git/hooks/pre-commit'))).to.equal(false);
    expect(other.close([])).to.have.length(1);
  });

  it('looks at everything where nobody tells of changes', () => {
    signs.revision = undefined;
    const watch = begin();
    openDoor();
    expect(watch.close([])).to.have.length(1);
  });

  it('ends the command as soon as it is told of a door', async () => {
    const watch = begin();
    openDoor();
    signs.tell(at('.git'), 'remotes');
    await eventually('it is ended', () => ended.length > 0);
    expect(ended[0]).to.contain('.git/remotes/o names a place');
    expect(watch.close([])).to.have.length(1);
  });

  it('ends it also where it has to look for itself', async () => {
    signs.revision = undefined;
    const watch = begin();
    openDoor();
    await eventually('it is ended', () => ended.length > 0);
    watch.close([]);
  });

  it('watches over a repository that was found when the command was about to begin', () => {
    const watch = begin();
    ground.sh(['git', 'init', '-q', 'nested']);
    signs.revision = 2;
    watch.widen(prepare('nested/.git').scope);
    writeFileSync(at('nested/.git/hooks/pre-commit'), '#!/bin/sh\n');
    signs.revision = 3;
    expect(watch.close([]).map(({ path }) => path)).to.deep.equal([at('nested/.git/hooks/pre-commit')]);
  });

  it('keeps commondir from being made until some time after the last command', () => {
    const watch = begin();
    expect(existsSync(at('.git/commondir'))).to.equal(true);
    watch.close([]);
    expect(existsSync(at('.git/commondir'))).to.equal(true);
    doors.close();
    expect(existsSync(at('.git/commondir'))).to.equal(false);
  });
});
