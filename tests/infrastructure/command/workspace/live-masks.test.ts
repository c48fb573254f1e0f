import { mkdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { LiveCommand, ViewChange } from '../../../../src/application/ports/command/command-sandbox.js';
import { BlobNames } from '../../../../src/infrastructure/command/git/blob-names.js';
import { IndexEntries } from '../../../../src/infrastructure/command/git/index-entries.js';
import { ObjectReader } from '../../../../src/infrastructure/command/git/object-reader.js';
import { TrackedSecrets } from '../../../../src/infrastructure/command/git/tracked-secrets.js';
import { LiveMasks } from '../../../../src/infrastructure/command/workspace/live-masks.js';
import type { PathChange } from '../../../../src/infrastructure/command/workspace/matched-paths.js';
import { eventually } from '../../../support/eventually.js';
import { TreeGround } from '../../../support/tree-ground.js';

class FakeCommand implements LiveCommand {
  readonly #hidden = new Set<string>();
  readonly #readOnly = new Set<string>();
  ended: string | undefined;
  refuses = false;

  async cover({ hide, readOnlyInside }: ViewChange): Promise<void> {
    if (this.refuses) throw new Error('no namespace');
    for (const path of hide) this.#hidden.add(path);
    for (const path of readOnlyInside) this.#readOnly.add(path);
  }

  get hidden(): readonly string[] {
    return [...this.#hidden];
  }

  get readOnly(): readonly string[] {
    return [...this.#readOnly];
  }

  end(why: string): void {
    this.ended = why;
  }
}

describe('LiveMasks', () => {
  let ground: TreeGround;
  let command: FakeCommand;
  let covers: LiveMasks;
  let news: PathChange[];
  let end: () => void;

  beforeEach(async () => {
    ground = new TreeGround();
    for (const name of ['.env', 'CLAUDE.md', 'app/.env']) ground.put(name);
    command = new FakeCommand();
    news = [];
  });

  afterEach(async () => {
    end();
    await ground.remove();
  });

  async function begin(): Promise<void> {
    const tree = ground.tree();
    await tree.refresh();
    const reader = new ObjectReader(join(ground.state, 'git-reader'));
    const tracked = new TrackedSecrets({
      reader,
      names: new BlobNames(),
      indexes: new IndexEntries(reader),
    });
    covers = new LiveMasks(tree, (pieces) => void news.push(...pieces), tracked);
    const view = {
      read: [],
      write: [ground.root],
      hide: tree.matches.paths('hide'),
      // Views also name what may come into being.
      readOnlyInside: [...tree.matches.paths('fixed'), join(ground.root, '.vscode')],
    };
    end = covers.begin({
      command,
      view,
      open: new Set<string>(),
      plannedMs: Date.now(),
      onlyReads: false,
    });
  }

  /** The way editors save. */
  function save(name: string): void {
    const path = ground.put(`${name}.tmp`);
    renameSync(path, join(ground.root, name));
  }

  it('covers again what an editor saved, in the way it was covered', async () => {
    await begin();
    save('.env');
    save('CLAUDE.md');
    await eventually('both are covered', () => command.hidden.length > 0 && command.readOnly.length > 0);
    expect(ground.relative(command.hidden)).to.deep.equal(['.env']);
    expect(ground.relative(command.readOnly)).to.deep.equal(['CLAUDE.md']);
  });

  it('covers what was removed and made again, and what a checkout brings', async () => {
    await begin();
    unlinkSync(join(ground.root, 'app/.env'));
    await sleep(20);
    ground.put('app/.env');
    await eventually('it is covered', () => command.hidden.includes(join(ground.root, 'app/.env')));
    ground.put('other/place/.env');
    await eventually('so is the new one', () =>
      command.hidden.includes(join(ground.root, 'other/place/.env')),
    );
  });

  it('covers every running command, until its end', async () => {
    await begin();
    const second = new FakeCommand();
    const view = { read: [], write: [ground.root], hide: [], readOnlyInside: [] };
    const endSecond = covers.begin({
      command: second,
      view,
      open: new Set<string>(),
      plannedMs: Date.now(),
      onlyReads: false,
    });
    ground.put('x/.env');
    await eventually('both have it', () => command.hidden.length > 0 && second.hidden.length > 0);
    endSecond();
    ground.put('y/.env');
    await eventually('one has it', () => command.hidden.length > 1);
    expect(second.hidden).to.have.length(1);
  });

  for (const [onlyReads, whose, left] of [
    [false, 'its own', ['app/.env']],
    [true, "the user's", []],
  ] as const) {
    it(`takes what changed during a command that writes ${onlyReads ? 'nothing' : 'files'} for ${whose}`, () => {
      const open = new Set([join(ground.root, 'app/.env')]);
      const leftOpen: string[] = [];
      const masks = new LiveMasks(ground.tree(), () => undefined, {
        isStored: async () => false,
        leftBy: (paths) => void leftOpen.push(...paths),
      });
      const view = { read: [], write: [ground.root], hide: [], readOnlyInside: [] };
      end = () => undefined;
      masks.begin({ command, view, open, plannedMs: Date.now(), onlyReads })();
      expect(ground.relative(leftOpen)).to.deep.equal(left);
    });
  }

  it('covers a copy of what the repository has once something else is written there', async () => {
    const tree = ground.tree();
    await tree.refresh();
    const path = join(ground.root, 'settings/.env');
    const asked: string[] = [];
    const leftOpen: string[] = [];
    const masks = new LiveMasks(tree, () => undefined, {
      isStored: async (name) => {
        asked.push(name);
        return readFileSync(name, 'utf8') === 'an example\n';
      },
      leftBy: (paths) => void leftOpen.push(...paths),
    });
    const view = { read: [], write: [ground.root], hide: [], readOnlyInside: [] };
    end = masks.begin({ command, view, open: new Set(), plannedMs: Date.now(), onlyReads: false });
    ground.put('settings/example', 'an example\n');
    renameSync(join(ground.root, 'settings/example'), path);
    await eventually('it was looked at', () => asked.includes(path));
    expect(command.hidden).to.deep.equal([]);
    writeFileSync(path, 'a secret\n');
    await eventually('it is covered', () => command.hidden.includes(path));
    end();
    expect(leftOpen).to.deep.equal([]);
  });

  it('leaves to a command what it makes itself, and tells of it', async () => {
    await begin();
    await sleep(60);
    mkdirSync(join(ground.root, '.vscode'));
    ground.put('.vscode/settings.json');
    ground.put('node_modules/package/.env');
    await eventually('it is told', () => news.length >= 2);
    expect(command.readOnly).to.deep.equal([]);
    expect(command.hidden).to.deep.equal([]);
  });

  it('keeps protected files that are older than the command, so that they cannot be its own', async () => {
    const moved = join(ground.base, 'CLAUDE.md');
    writeFileSync(moved, 'from elsewhere');
    await sleep(80);
    await begin();
    ground.folder('docs');
    renameSync(moved, join(ground.root, 'docs/CLAUDE.md'));
    await eventually('it is covered', () => command.readOnly.length > 0);
    expect(ground.relative(command.readOnly)).to.deep.equal(['docs/CLAUDE.md']);
  });

  it('ends a command in which nothing can be covered', async () => {
    await begin();
    command.refuses = true;
    save('.env');
    await eventually('it is ended', () => command.ended !== undefined);
    expect(command.ended).to.contain('could not be covered again');
  });
});
