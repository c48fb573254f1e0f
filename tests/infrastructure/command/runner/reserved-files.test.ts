import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type {
  CommandView,
  CommandViewRequest,
} from '../../../../src/application/ports/command/command-view.js';
import type { PermissionPolicy } from '../../../../src/domain/permission/policy/permission-policy.js';
import { DiskCommandViewFactory } from '../../../../src/infrastructure/command/runner/disk-command-view-factory.js';
import { policyOf, surroundings } from '../../../support/policy-bench.js';
import { TreeGround } from '../../../support/tree-ground.js';

const LIVE = { cover: async () => undefined, end: () => undefined };

describe('A file that would become the settings of the server', () => {
  let ground: TreeGround;
  let runner: DiskCommandViewFactory;
  let settings: string;

  beforeEach(() => {
    ground = new TreeGround();
    settings = join(ground.root, 'config/castellan.yaml');
    const { root: workspace, state: stateFolder, places } = ground;
    runner = new DiskCommandViewFactory({
      workspace,
      stateFolder,
      environment: {},
      realHome: ground.base,
      places,
    });
  });
  afterEach(async () => {
    await runner.close();
    await ground.remove();
  });

  async function policy(): Promise<PermissionPolicy> {
    const neverWritten = [join(ground.root, 'castellan.yaml'), settings];
    return policyOf('version: 1\nextends: [builtin:workspace]\n', {
      surroundings: { ...surroundings, workspace: ground.root, never: [], neverWritten },
    });
  }

  async function prepare(rules: PermissionPolicy): Promise<CommandView> {
    const request: CommandViewRequest = {
      tool: 'execute_command',
      policy: rules,
      paths: rules.viewFor('execute_command'),
      profile: {
        name: 'test',
        read: [],
        write: [ground.root],
        hide: [],
        network: 'none',
        seccomp: 'default',
      },
      cwd: undefined,
    };
    const prepared = await runner.prepare(request);
    if (!prepared.success) throw new Error(prepared.error.message);
    return prepared.value;
  }

  for (const [what, reloads] of [
    ['another command is prepared', false],
    ['another one is prepared under a policy that was loaded meanwhile', true],
  ] as const)
    it(`is taken away although ${what} between the end of its maker and the look at what that left`, async () => {
      const rules = await policy();
      const maker = await prepare(rules);
      const guard = await maker.guard(() => undefined);
      const over = maker.onLive?.(LIVE);
      over?.();
      ground.put('config/castellan.yaml');
      await prepare(reloads ? await policy() : rules);
      const { quarantined } = await guard.close();
      expect(quarantined.map(({ path }) => path)).to.deep.equal([settings]);
      expect(existsSync(settings)).to.equal(false);
    });

  it('is left alone where it was there before any command', async () => {
    ground.put('config/castellan.yaml');
    const maker = await prepare(await policy());
    const guard = await maker.guard(() => undefined);
    expect(await guard.close()).to.deep.include({ quarantined: [] });
    expect(existsSync(settings)).to.equal(true);
  });

  it('is left alone where the user made it after the last command', async () => {
    const rules = await policy();
    const guard = await (await prepare(rules)).guard(() => undefined);
    await guard.close();
    ground.put('config/castellan.yaml');
    const next = await (await prepare(rules)).guard(() => undefined);
    expect(await next.close()).to.deep.include({ quarantined: [] });
    expect(existsSync(settings)).to.equal(true);
  });
});
