import { expect } from 'chai';
import { beforeEach, describe, it } from 'mocha';
import { PrepareCommands } from '../../../src/application/command/prepare-commands.js';
import type {
  CommandSandbox,
  SandboxStatus,
} from '../../../src/application/ports/command/command-sandbox.js';
import type {
  CommandViewFactory,
  CommandViewRequest,
} from '../../../src/application/ports/command/command-view.js';
import { LOCAL_STDIO } from '../../../src/domain/session/caller.js';
import { callCancelled, toolFailure } from '../../../src/domain/tool/tool-error.js';
import { ManualTime } from '../../support/manual-time.js';
import { decideCall, load } from '../../support/policy-bench.js';

const AVAILABLE: SandboxStatus = { state: 'available', kind: 'none', description: '' };
const MISSING: SandboxStatus = { state: 'missing', kind: 'none', reason: 'r', remedy: 'r' };

describe('PrepareCommands', () => {
  let time: ManualTime;
  let prepared: CommandViewRequest[];
  let looks: number;

  beforeEach(() => {
    time = new ManualTime();
    prepared = [];
    looks = 0;
  });

  async function under(text: string, status = AVAILABLE): Promise<PrepareCommands> {
    const sandbox: CommandSandbox = {
      kind: 'none',
      detect: async () => {
        looks += 1;
        return status;
      },
      run: async () => toolFailure(callCancelled()),
    };
    const viewFactory: CommandViewFactory = {
      environment: {},
      prepare: async (request) => {
        prepared.push(request);
        return toolFailure(callCancelled());
      },
      close: async () => undefined,
    };
    const { snapshot } = await load(text);
    const policies = { current: () => snapshot, onChange: () => () => undefined };
    return new PrepareCommands(policies, decideCall, sandbox, viewFactory, time);
  }

  it('tries the sandbox and looks through the workspace as the first command will', async () => {
    const commands = await under('extends: [builtin:workspace]\n');
    await commands.prepare(LOCAL_STDIO);
    expect(looks).to.equal(1);
    expect(prepared).to.have.length(1);
    expect(prepared[0]).to.include({ tool: 'execute_command', cwd: undefined });
    expect(prepared[0]?.profile).not.to.equal(undefined);
  });

  it('does nothing where commands are not allowed, allowed by name, or have no sandbox', async () => {
    for (const text of [
      'extends: [builtin:baseline]\n',
      'tools: { execute_command: { allowed_commands: [ls] } }\n',
      'tools: { execute_command: { allowed_commands: ["*"], sandbox: none } }\n',
    ])
      await (await under(text)).prepare(LOCAL_STDIO);
    expect({ looks, prepared }).to.deep.equal({ looks: 0, prepared: [] });
    await (await under('extends: [builtin:workspace]\n', MISSING)).prepare(LOCAL_STDIO);
    expect({ looks, prepared }).to.deep.equal({ looks: 1, prepared: [] });
  });

  it('waits until the client has its first answers, and can be called off', async () => {
    const commands = await under('extends: [builtin:workspace]\n');
    const callOff = commands.soon(LOCAL_STDIO);
    time.advance(100);
    callOff();
    time.advance(10_000);
    expect(looks).to.equal(0);
  });
});
