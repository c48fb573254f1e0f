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
    ground.git('init', '-q', 'lib');
    doors = new GitDoors(ground.workspace, ground.state);
    signs = new ToldSigns();
    ended = [];
  });
  afterEach(() => {
    ground.remove();
  });

  function prepare(...more: string[]): PreparedDoors {
    const entries = [at('.git'), at('lib/.git'), ...more.map(at)];
    return doors.prepare({ writable: [ground.workspace], entries, revision: signs.revision });
  }

  const begin = () => doors.begin(prepare().scope, signs, (why) => ended.push(why));

  /** git would fetch from there. */
  function openDoor(): void {
    mkdirSync(at('lib/.git/remotes'), { recursive: true });
    writeFileSync(at('lib/.git/remotes/o'), 'URL: x\n');
  }

  it('prepares the same objects as long as the revision is the same, and what is the same later', () => {
    const first = prepare();
    expect(prepare()).to.equal(first);
    signs.revision = 2;
    expect(prepare()).to.equal(first);
    mkdirSync(at('lib/.git/modules/part/hooks'), { recursive: true });
    signs.revision = 3;
    expect(prepare().readOnlyInside).to.include(at('lib/.git/modules/part/hooks'));
  });

  it('finds what a command made, and takes it away', () => {
    const watch = begin();
    openDoor();
    signs.revision = 2;
    const [finding] = watch.close([]);
    expect(finding?.path).to.equal(at('lib/.git/remotes/o'));
    expect(existsSync(at('lib/.git/remotes/o'))).to.equal(false);
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
    signs.tell(at('lib/.git'), 'remotes');
    await eventually('it is ended', () => ended.length > 0);
    expect(ended[0]).to.contain('lib/.git/remotes/o names a place');
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

  it('leaves the git folder of the workspace alone, which no command writes', () => {
    const watch = begin();
    writeFileSync(at('.git/hooks/pre-commit'), '#!/bin/sh\n');
    signs.revision = 2;
    expect(watch.close([])).to.deep.equal([]);
    expect(existsSync(at('.git/hooks/pre-commit'))).to.equal(true);
  });

  it('keeps it read-only as a whole where commands have no private one, and open where they make it', () => {
    expect(prepare().readOnlyInside).to.include(at('.git'));
    const request = { writable: [ground.workspace], entries: [at('.git')], revision: 1 };
    expect(doors.prepare({ ...request, carried: at('.git') }).readOnlyInside).not.to.include(at('.git'));
    const { readOnlyInside, scope } = doors.prepare({ ...request, isMade: true });
    expect(readOnlyInside).not.to.include(at('.git'));
    const watch = doors.begin(scope, signs, (why) => ended.push(why));
    writeFileSync(at('.git/hooks/pre-commit'), '#!/bin/sh\n');
    signs.revision = 2;
    expect(watch.close([]).map(({ path }) => path)).to.deep.equal([at('.git/hooks/pre-commit')]);
  });

  it("takes away what a setting of the user's names and a command makes", () => {
    ground.git('config', 'include.path', '../later.inc');
    const watch = begin();
    writeFileSync(at('later.inc'), '[core]\n\tfsmonitor = ./evil\n');
    signs.revision = 2;
    expect(watch.close([]).map(({ path }) => path)).to.deep.equal([at('later.inc')]);
    expect(existsSync(at('later.inc'))).to.equal(false);
  });
});
