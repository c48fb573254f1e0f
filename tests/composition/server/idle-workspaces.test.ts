import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createCastellan } from '../../../src/composition/server/create-castellan.js';
import {
  PrincipalWorkspaces,
  type ServedWorkspace,
  type WorkspaceServer,
} from '../../../src/composition/server/principal-workspaces.js';
import { servedBy } from '../../../src/composition/server/served-by.js';
import { Result } from '../../../src/domain/result.js';
import type { Caller } from '../../../src/domain/session/caller.js';
import { isolatedOptions } from '../../support/isolated-options.js';

const IDLE = 1000;
const OPTIONS = isolatedOptions();

describe('Workspaces of principals that nobody uses', () => {
  let root: string;
  let now: number;
  let home: ServedWorkspace;
  let opened: string[];
  let closed: string[];
  let used: Set<string>;
  let workspaces: PrincipalWorkspaces;

  beforeEach(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-idle-')));
    now = 0;
    opened = [];
    closed = [];
    used = new Set();
    home = servedBy((await createCastellan(OPTIONS)).container);
    const serve = async (folder: string): Promise<WorkspaceServer> => {
      opened.push(folder);
      return { ...home, isUsed: () => used.has(folder), close: async () => void closed.push(folder) };
    };
    const policy = {
      workspaceOf: ({ id }: Caller) => Result.ok(`teams/${id}`),
      principalFolders: () => ['teams'],
    };
    const policies = { current: () => ({ policy }) };
    workspaces = new PrincipalWorkspaces(root, policies, home, serve, IDLE, () => now);
  });

  afterEach(async () => {
    await workspaces.close();
    rmSync(root, { recursive: true, force: true });
  });

  const ask = (id: string) => workspaces.homeOf({ id, transport: 'http' });

  it('are released after the idle time, and opened anew for the next call', async () => {
    await ask('red');
    await ask('blue');
    used.add(join(root, 'teams/blue'));
    now = IDLE + 1;
    workspaces.releaseIdle();
    await ask('red');
    expect(closed).to.deep.equal([join(root, 'teams/red')]);
    expect(opened).to.deep.equal(['red', 'blue', 'red'].map((name) => join(root, 'teams', name)));
    expect(workspaces.served).to.have.length(3);
  });

  it('are kept while they were asked for not long ago', async () => {
    await ask('red');
    now = IDLE;
    workspaces.releaseIdle();
    await ask('red');
    now = 2 * IDLE;
    workspaces.releaseIdle();
    expect(closed).to.deep.equal([]);
  });

  it('make room for others: the sixty-fifth takes the place of the one idle longest, never of one in use', async () => {
    for (let index = 0; index < 64; index += 1) {
      now = index;
      await ask(`team${index}`);
      used.add(join(root, `teams/team${index}`));
    }
    now = 100_000;
    expect((await ask('late')).success).to.equal(false);
    used.delete(join(root, 'teams/team7'));
    used.delete(join(root, 'teams/team9'));
    expect((await ask('late')).success).to.equal(true);
    expect(closed).to.deep.equal([join(root, 'teams/team7')]);
  });

  it('another folder under the same name is another workspace', async () => {
    await ask('red');
    const red = join(root, 'teams/red');
    rmSync(red, { recursive: true });
    // Takes the number that was freed.
    await ask('blue');
    await ask('red');
    expect(existsSync(red)).to.equal(true);
    expect(closed).to.deep.equal([red]);
  });

  it('are opened once for callers who come together, also while the one before closes', async () => {
    await Promise.all([ask('red'), ask('red'), ask('red')]);
    now = IDLE + 1;
    workspaces.releaseIdle();
    await Promise.all([ask('red'), ask('red')]);
    expect(opened).to.have.length(2);
  });
});
