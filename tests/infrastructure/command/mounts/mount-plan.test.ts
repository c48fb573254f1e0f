import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { SandboxView } from '../../../../src/application/ports/command/command-sandbox.js';
import { type Mount, planMounts } from '../../../../src/infrastructure/command/mounts/mount-plan.js';

describe('planMounts', () => {
  let root: string;

  beforeEach(() => {
    root = realpathSync(mkdtempSync('/tmp/castellan-plan-'));
  });

  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function plan(
    write: readonly string[],
    readOnlyInside: readonly string[],
    hidden: Pick<SandboxView, 'hide' | 'placeholders'> = { hide: [] },
  ): ReadonlyMap<string, Mount> {
    for (const path of [...write, ...readOnlyInside]) mkdirSync(path, { recursive: true });
    const tmp = join(root, 'state');
    const home = join(root, 'home');
    for (const path of [tmp, home]) mkdirSync(path);
    const { base, inner } = planMounts({
      network: 'none',
      system: {
        folders: [],
        links: [],
        etc: '/etc',
        nothing: '/nothing',
        rootOnly: { files: [], folders: [] },
      },
      toolchains: { read: [], hide: [], environment: {} },
      view: { read: [], write, readOnlyInside, ...hidden },
      home,
      tmp,
      tmpBytes: 1,
    });
    return new Map([...base, ...inner].map((mount) => [mount.path, mount]));
  }

  it("keeps a worktree's repository writable where both lie in a /tmp that lasts", () => {
    const [workspace, git] = [join(root, 'ws'), join(root, 'main/.git')];
    const mounts = plan([workspace, git], [git, join(git, 'hooks')]);
    expect(mounts.get(git)?.kind).to.equal('write');
    expect(mounts.get(join(git, 'hooks'))?.kind).to.equal('read');
  });

  it('protects what lies in a folder of the user there', () => {
    const [outer, inner] = [join(root, 'ws'), join(root, 'ws/a/b')];
    const mounts = plan([outer, inner], [join(root, 'ws/a/kept'), join(root, 'ws/.vscode')]);
    expect(mounts.get(join(root, 'ws/a/kept'))?.kind).to.equal('read');
    expect(mounts.get(join(root, 'ws/.vscode'))?.kind).to.equal('read');
  });

  it('mounts nothing behind a link, however it is protected', () => {
    const [workspace, outside] = [join(root, 'ws'), join(root, 'outside')];
    for (const path of [workspace, join(outside, 'kept')]) mkdirSync(path, { recursive: true });
    symlinkSync(outside, join(workspace, 'sub'));
    const mounts = plan([workspace], [join(workspace, 'sub/kept')]);
    expect([...mounts.keys()].filter((path) => path.startsWith(`${workspace}/`))).to.deep.equal([]);
  });

  describe('of very many hidden files in one folder', () => {
    let folder: string;
    let hide: readonly string[];

    beforeEach(() => {
      folder = join(root, 'ws/keys');
      mkdirSync(folder, { recursive: true });
      hide = Array.from({ length: 300 }, (_, index) => join(folder, `${index}.pem`));
      for (const path of hide) writeFileSync(path, 'key');
    });

    const masksOf = (hidden: Pick<SandboxView, 'hide' | 'placeholders'>): readonly Mount[] =>
      [...plan([join(root, 'ws')], [], hidden).values()].filter(({ kind }) => kind.startsWith('mask'));

    it('hides the folder where it holds nothing else', () => {
      expect(masksOf({ hide })).to.deep.equal([{ kind: 'mask-folder', path: folder, source: '/nothing' }]);
    });

    it('hides each of them beside a file that commands may read', () => {
      writeFileSync(join(folder, 'README'), 'read');
      expect(masksOf({ hide })).to.have.length(hide.length);
    });

    it('hides each of them where git is to find something in the place of one', () => {
      const placeholders = new Map([[hide[0] ?? '', '/placeholder']]);
      expect(masksOf({ hide, placeholders })).to.have.length(hide.length);
    });
  });
});
