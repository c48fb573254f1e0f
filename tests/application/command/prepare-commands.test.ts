import { expect } from 'chai';
import { beforeEach, describe, it } from 'mocha';
import { PrepareCommands } from '../../../src/application/command/prepare-commands.js';
import type { CommandContext } from '../../../src/application/command/supervise-command.js';
import type { SandboxStatus } from '../../../src/application/ports/command/command-sandbox.js';
import { LOCAL_STDIO } from '../../../src/domain/session/caller.js';
import { Session } from '../../../src/domain/session/session.js';
import { callCancelled, toolFailure } from '../../../src/domain/tool/tool-error.js';
import { decideCall, load } from '../../support/policy-bench.js';

const AVAILABLE: SandboxStatus = { state: 'available', kind: 'none', description: '' };
const MISSING: SandboxStatus = { state: 'missing', kind: 'none', reason: 'r', remedy: 'r' };

describe('PrepareCommands', () => {
  const session = Session.create('one', LOCAL_STDIO);
  const { signal } = new AbortController();
  let ran: { readonly command: string; readonly context: CommandContext }[];
  let looks: number;

  beforeEach(() => {
    ran = [];
    looks = 0;
  });

  async function under(text: string, status = AVAILABLE): Promise<PrepareCommands> {
    const runner = {
      status: async () => {
        looks += 1;
        return status;
      },
    };
    const handle = async ({ command }: { readonly command: string }, context: CommandContext) => {
      ran.push({ command, context });
      return toolFailure(callCancelled());
    };
    const { snapshot } = await load(text);
    const policies = { current: () => snapshot, onChange: () => () => undefined };
    return new PrepareCommands(policies, decideCall, runner, { handle });
  }

  it('runs a command that does nothing, in the session and the sandbox of the first one', async () => {
    await (await under('extends: [builtin:workspace]\n')).prepare(session, signal);
    expect(looks).to.equal(1);
    expect(ran.map(({ command }) => command)).to.deep.equal(['true']);
    const context = ran[0]?.context;
    expect(context?.session).to.equal(session);
    expect(context?.signal).to.equal(signal);
    expect(context?.grant.plans).to.have.length(1);
    expect(context?.grant.obligations.sandbox).not.to.equal(undefined);
  });

  it('does nothing where commands are not allowed, allowed by name, or have no sandbox', async () => {
    for (const text of [
      'extends: [builtin:baseline]\n',
      'tools: { execute_command: { allowed_commands: [ls] } }\n',
      'tools: { execute_command: { allowed_commands: ["*"], sandbox: none } }\n',
    ])
      await (await under(text)).prepare(session, signal);
    expect({ looks, ran }).to.deep.equal({ looks: 0, ran: [] });
    await (await under('extends: [builtin:workspace]\n', MISSING)).prepare(session, signal);
    expect({ looks, ran }).to.deep.equal({ looks: 1, ran: [] });
  });

  it('runs nothing for a client that has gone meanwhile', async () => {
    const gone = AbortSignal.abort();
    await (await under('extends: [builtin:workspace]\n')).prepare(session, gone);
    expect(ran).to.deep.equal([]);
  });
});
