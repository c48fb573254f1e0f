import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type {
  CommandRequest,
  FinishedCommand,
  PreparedCommand,
} from '../../../../src/application/ports/command/command-runner.js';
import type { CommandJob } from '../../../../src/application/ports/command/command-sandbox.js';
import type { PermissionPolicy } from '../../../../src/domain/permission/policy/permission-policy.js';
import { executionFailed, toolFailure } from '../../../../src/domain/tool/tool-error.js';
import { WorkspaceCommands } from '../../../../src/infrastructure/command/runner/workspace-commands.js';
import { policyOf, surroundings } from '../../../support/policy-bench.js';
import { GENEROUS } from '../../../support/sandbox-jobs.js';
import { TreeGround } from '../../../support/tree-ground.js';

const LIVE = { cover: async () => undefined, end: () => undefined };

describe('A file that would become the settings of the server', () => {
  let ground: TreeGround;
  let runner: WorkspaceCommands;
  let settings: string;
  /** What a command does between its end and the look at what it left. */
  let meanwhile: () => Promise<void>;

  beforeEach(() => {
    ground = new TreeGround();
    settings = join(ground.root, 'config/castellan.yaml');
    const { root: workspace, state: stateFolder, places } = ground;
    meanwhile = async () => undefined;
    const options = { workspace, stateFolder, environment: {}, realHome: ground.base, places };
    runner = new WorkspaceCommands(options, {
      kind: 'none',
      run: async ({ onLive }) => {
        onLive?.(LIVE)();
        await meanwhile();
        return toolFailure(executionFailed('it ran nowhere'));
      },
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

  async function prepare(rules: PermissionPolicy): Promise<PreparedCommand> {
    const request: CommandRequest = {
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

  async function run(rules: PermissionPolicy): Promise<FinishedCommand> {
    const job: CommandJob = {
      program: { kind: 'argv', file: '/bin/true', args: [] },
      env: {},
      network: 'none',
      systemCalls: 'filtered',
      limits: GENEROUS,
    };
    return (await prepare(rules)).run(job, new AbortController().signal);
  }

  for (const [what, reloads] of [
    ['another command is prepared', false],
    ['another one is prepared under a policy that was loaded meanwhile', true],
  ] as const)
    it(`is taken away although ${what} between the end of its maker and the look at what that left`, async () => {
      const rules = await policy();
      meanwhile = async () => {
        ground.put('config/castellan.yaml');
        await prepare(reloads ? await policy() : rules);
      };
      const { quarantined } = (await run(rules)).sideEffects;
      expect(quarantined.map(({ path }) => path)).to.deep.equal([settings]);
      expect(existsSync(settings)).to.equal(false);
    });

  it('is left alone where it was there before any command', async () => {
    ground.put('config/castellan.yaml');
    expect((await run(await policy())).sideEffects.quarantined).to.deep.equal([]);
    expect(existsSync(settings)).to.equal(true);
  });

  it('is left alone where the user made it after the last command', async () => {
    const rules = await policy();
    await run(rules);
    ground.put('config/castellan.yaml');
    expect((await run(rules)).sideEffects.quarantined).to.deep.equal([]);
    expect(existsSync(settings)).to.equal(true);
  });
});
