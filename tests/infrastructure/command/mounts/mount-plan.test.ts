import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { type Mount, planMounts } from '../../../../src/infrastructure/command/mounts/mount-plan.js';

describe('planMounts', () => {
  let root: string;

  beforeEach(() => {
    root = realpathSync(mkdtempSync('/tmp/castellan-plan-'));
  });

  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function plan(write: readonly string[], readOnlyInside: readonly string[]): ReadonlyMap<string, Mount> {
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
      view: { read: [], write, hide: [], readOnlyInside },
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
});
