import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import {
  LocalCommandRunner,
  PlatformSandbox,
} from '../../../../src/infrastructure/command/runner/local-command-runner.js';
import { policyOf, surroundings } from '../../../support/policy-bench.js';
import { TreeGround } from '../../../support/tree-ground.js';

class ToldSandbox extends PlatformSandbox {
  onEnd: () => void = () => undefined;

  override async endSession(): Promise<void> {
    this.onEnd();
  }
}

describe('The end of a session', () => {
  let ground: TreeGround;

  beforeEach(() => {
    ground = new TreeGround();
  });
  afterEach(() => ground.remove());

  it('takes its files after the processes that could write them', async () => {
    const { root: workspace, state: stateFolder, places, base: realHome } = ground;
    const sandbox = new ToldSandbox({ searchPath: '', realHome, stateFolder });
    const runner = new LocalCommandRunner(
      { workspace, stateFolder, environment: {}, realHome, places },
      sandbox,
    );
    const policy = await policyOf('version: 1\nextends: [builtin:workspace]\n', {
      surroundings: { ...surroundings, workspace },
    });
    await runner.prepare({
      tool: 'execute_command',
      policy,
      paths: policy.viewFor('execute_command'),
      profile: { name: 'test', read: [], write: [workspace], hide: [], network: 'none', seccomp: 'default' },
      session: 'one',
      cwd: undefined,
    });
    const temporary = (): readonly string[] =>
      readdirSync(join(stateFolder, 'tmp'), { recursive: true, encoding: 'utf8' }).filter((path) =>
        path.includes('/'),
      );
    let left: readonly string[] = [];
    sandbox.onEnd = () => {
      left = temporary();
    };
    await runner.endSession('one');
    expect(left).to.have.length(1);
    expect(temporary()).to.deep.equal([]);
    await runner.close();
  });
});
