import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { expect } from 'chai';
import type { Container } from 'inversify';
import { afterEach, describe, it } from 'mocha';
import { ExecuteToolHandler } from '../../../src/application/call/pipeline/execute-tool.js';
import { AuditLog } from '../../../src/application/ports/audit/audit-log.js';
import { PolicySource } from '../../../src/application/ports/permission/policy-source.js';
import { SessionStore } from '../../../src/application/ports/session/session-store.js';
import { ToolRegistry } from '../../../src/application/ports/tool/tool-registry.js';
import { ToolStatistics } from '../../../src/application/ports/tool/tool-statistics.js';
import { ListToolsHandler } from '../../../src/application/tool/list-tools.js';
import type { CastellanOptions } from '../../../src/composition/configuration/castellan-options.js';
import type { Castellan } from '../../../src/composition/server/castellan.js';
import { createCastellan } from '../../../src/composition/server/create-castellan.js';
import { LOCAL_EMBEDDED } from '../../../src/domain/session/caller.js';
import { Session } from '../../../src/domain/session/session.js';
import { declareTool } from '../../../src/presentation/tools/declared-tools.js';
import { OpenPolicy, RecordingAuditLog } from '../../../src/testing/testing.js';
import { isolatedOptions } from '../../support/isolated-options.js';
import { policyFile } from '../../support/policy-file.js';
import { definition, mustFail, mustValue, runnable, textOf } from '../../support/sample-tool.js';

const OWN = isolatedOptions();

const allowEverything = (container: Container) => {
  container.rebind(PolicySource).toConstantValue(new OpenPolicy());
};

const opened: Castellan[] = [];

async function open(options: CastellanOptions = {}) {
  const castellan = await createCastellan({ ...OWN, ...options });
  opened.push(castellan);
  return castellan;
}

/** Counts every use of the file system while `work` runs. */
async function countingFiles(work: () => Promise<void>): Promise<number> {
  let count = 0;
  const restore: (() => void)[] = [];
  const watch = (target: object) => {
    for (const [key, original] of Object.entries(target)) {
      if (typeof original !== 'function' || /^[A-Z_]/.test(key)) continue;
      const counted = function (this: unknown, ...args: unknown[]): unknown {
        count += 1;
        return Reflect.apply(original, this, args);
      };
      Object.assign(target, { [key]: counted });
      restore.push(() => Object.assign(target, { [key]: original }));
    }
  };
  watch(fs);
  watch(fs.promises);
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    for (const each of restore) each();
    syncBuiltinESMExports();
  }
  return count;
}

describe('Castellan', () => {
  afterEach(async () => {
    for (const castellan of opened.splice(0)) await castellan.close();
  });

  it('S4-27, S4-21: session, initialize, register, execute', async () => {
    const { container } = await open({ configure: allowEverything });
    const session = Session.create('mine', LOCAL_EMBEDDED);
    container.get(SessionStore).add(session);
    const command = { sessionId: 'mine', toolName: 'fresh' };
    const handler = container.get(ExecuteToolHandler);
    expect(mustFail(await handler.handle(command)).error.message).to.contain('initialize');
    session.initialize({ name: 'test', version: '1' });
    expect(mustFail(await handler.handle(command)).error.kind).to.equal('not-found');
    mustValue(container.get(ToolRegistry).register(runnable({ name: 'fresh' })));
    expect(textOf(mustValue(await handler.handle(command)))).to.equal('done');
  });

  it('S4-20: the built-in tools belong to a new session without further ado', async () => {
    const castellan = await open();
    const page = mustValue(
      castellan.container.get(ListToolsHandler).handle({ sessionId: castellan.session.id }),
    );
    expect(page.tools.map(({ name }) => name)).to.include('echo');
  });

  it('S4-19: an embedder lists the tools of one category, in MCP format', async () => {
    const castellan = await open();
    const names = (category?: string) => castellan.tools(category).map(({ name }) => name);
    expect(names('utility')).to.deep.equal(['echo']);
    expect(names('nothing')).to.deep.equal([]);
    expect(names()).to.include.members(['echo', 'read_file']);
    expect(castellan.tools('utility')[0]).to.have.nested.property('inputSchema.properties.message');
  });

  it('S4-20: an embedder hides a tool from one session, which another goes on seeing', async () => {
    const castellan = await open();
    const { container } = castellan;
    const other = Session.create('other', LOCAL_EMBEDDED);
    other.initialize({ name: 'test', version: '1' });
    container.get(SessionStore).add(other);
    const seenBy = (sessionId: string) =>
      mustValue(container.get(ListToolsHandler).handle({ sessionId, category: 'utility' })).tools.length;
    expect(castellan.hideTool('Echo')).to.equal(true);
    expect([seenBy(castellan.session.id), seenBy('other')]).to.deep.equal([0, 1]);
    expect(mustFail(await castellan.execute('echo')).error.kind).to.equal('not-found');
    expect(castellan.showTool('echo')).to.equal(true);
    mustValue(await castellan.execute('echo'));
    castellan.hideTool('echo', other);
    expect([seenBy(castellan.session.id), seenBy('other')]).to.deep.equal([1, 0]);
    expect(castellan.hideTool('nothing')).to.equal(false);
  });

  it('keeps declared tools for the next attempt when a start fails', async () => {
    declareTool(definition({ name: 'patient' }));
    const failing = open({ policy: '/nowhere/permissions.yaml' });
    expect(
      await failing.then(
        () => 'started',
        () => 'failed',
      ),
    ).to.equal('failed');
    const castellan = await open();
    expect(castellan.tools('test').map(({ name }) => name)).to.deep.equal(['patient']);
    expect((await open()).tools('test')).to.deep.equal([]);
  });

  it('S3-06: performance metrics are what was called, through the tool that shows them', async () => {
    const castellan = await open({ configure: allowEverything });
    await castellan.execute('echo', { message: 'x' });
    await castellan.execute('echo', { wrong: 1 });
    const shown = mustValue(await castellan.execute('get_tool_stats', { tool: 'echo' })).structured?.value;
    expect(shown).to.deep.include.all.keys('total', 'tools');
    expect(JSON.parse(JSON.stringify(shown)).tools.echo).to.include({ invocations: 2, failures: 1 });
  });

  it('S3-06: registers, gets, lists, executes and counts', async () => {
    const castellan = await open({ configure: allowEverything });
    const registry = castellan.container.get(ToolRegistry);
    mustValue(registry.register(runnable({ name: 'fresh' })));
    expect(registry.get('fresh')?.tool.name).to.equal('fresh');
    expect(registry.list().map(({ tool }) => String(tool.name))).to.include.members(['echo', 'fresh']);
    mustValue(await castellan.execute('fresh'));
    mustFail(await castellan.execute('fresh', { wrong: 1 }));
    expect(castellan.container.get(ToolStatistics).of('fresh')).to.include({ invocations: 2, failures: 1 });
  });

  it('S3-13: a call touches no file: what it needs is in memory', async () => {
    // The record of calls is a file by purpose, written behind their back.
    const castellan = await open({
      configure: (container) => container.rebind(AuditLog).toConstantValue(new RecordingAuditLog()),
    });
    await castellan.execute('echo');
    const calls = async () => {
      for (let n = 0; n < 50; n += 1) mustValue(await castellan.execute('echo', { message: 'x' }));
      mustFail(await castellan.execute('echo', { wrong: 1 }));
    };
    expect(await countingFiles(calls)).to.equal(0);
    expect(await countingFiles(async () => void fs.existsSync('.'))).to.equal(1);
  });

  it('leaves the arguments of its caller as they are', async () => {
    const args = { message: 'x' };
    await (await open()).execute('echo', args);
    expect(Object.isFrozen(args)).to.equal(false);
  });

  it('takes a signal, and serves nothing after close', async () => {
    const castellan = await open();
    const aborted = await castellan.execute('echo', {}, { signal: AbortSignal.abort() });
    expect(mustFail(aborted).error.kind).to.equal('cancelled');
    await castellan.close();
    expect(mustFail(await castellan.execute('echo')).error.kind).to.equal('unavailable');
    expect(castellan.session.state).to.equal('closed');
  });

  it('S3-15: only an entry of the policy that names a tool gives it more time than it asks for', async () => {
    const never = () => new Promise<never>(() => {});
    const slow = (name: string) => definition({ name, run: never, budget: { timeoutMs: 5 } });
    const castellan = await open({
      policy: policyFile(
        'extends: [builtin:workspace]\ndefaults: { limits: { timeout: 8ms } }\ntools: { named: { timeout: 9ms }, less: { timeout: 3ms } }\n',
      ),
      tools: [slow('unnamed'), slow('named'), slow('less')],
    });
    const timeOf = async (tool: string) => {
      const { error } = mustFail(await castellan.execute(tool));
      return error.kind === 'timeout' ? error.timeoutMs : error.kind;
    };
    expect([await timeOf('unnamed'), await timeOf('named'), await timeOf('less')]).to.deep.equal([5, 9, 3]);
  });

  it('S3-15: takes limits for every call, which a tool’s own override', async () => {
    const never = () => new Promise<never>(() => {});
    const castellan = await open({
      budget: { timeoutMs: 5 },
      tools: [
        definition({ name: 'short', run: never }),
        definition({ name: 'longer', run: never, budget: { timeoutMs: 6 } }),
      ],
    });
    expect(mustFail(await castellan.execute('short')).error).to.include({ timeoutMs: 5 });
    expect(mustFail(await castellan.execute('longer')).error).to.include({ timeoutMs: 6 });
  });

  describe('with a prefix', () => {
    async function namesWith(prefix: string | undefined, options: CastellanOptions = {}) {
      const environment = { ...OWN.environment, MCP_TOOL_PREFIX: prefix };
      const castellan = await open({ ...options, environment });
      const page = mustValue(
        castellan.container.get(ListToolsHandler).handle({ sessionId: castellan.session.id }),
      );
      return {
        castellan,
        names: page.tools.map(({ name }) => name).filter((name) => /(?:echo|sample|own|bare)$/.test(name)),
        tools: page.tools,
      };
    }

    it('S0-23, S0-24: reads it from MCP_TOOL_PREFIX, and has none without', async () => {
      expect((await namesWith('guide')).names).to.deep.equal(['guide_echo']);
      expect((await namesWith(undefined)).names).to.deep.equal(['echo']);
    });

    it('S1-01, S1-22: every tool passes through it, whatever the configuration', async () => {
      const tools = [
        definition(),
        definition({ name: 'own', prefix: 'my' }),
        definition({ name: 'bare', prefix: '' }),
      ];
      expect((await namesWith('guide', { tools })).names).to.deep.equal([
        'bare',
        'guide_echo',
        'my_own',
        'guide_sample',
      ]);
      expect((await namesWith('', { tools })).names).to.deep.equal(['bare', 'echo', 'my_own', 'sample']);
      expect((await namesWith('', { toolPrefix: 'x' })).names).to.deep.equal(['x_echo']);
      const { tools: listed } = await namesWith('guide');
      expect(listed.filter(({ name }) => !name.startsWith('guide_'))).to.deep.equal([]);
      expect(listed.length).to.be.above(8);
      expect((await namesWith('env', { toolPrefix: '' })).names).to.deep.equal(['echo']);
      expect((await namesWith('env', { toolPrefix: 'x' })).names).to.deep.equal(['x_echo']);
      expect((await namesWith(undefined, { toolPrefix: 'x' })).names).to.deep.equal(['x_echo']);
    });

    it('S0-27, S1-06: calls work by either name, and the texts use the undecorated one', async () => {
      const { castellan, tools } = await namesWith('guide', { toolDescriptions: 'full' });
      for (const name of ['guide_echo', 'echo']) {
        expect(textOf(mustValue(await castellan.execute(name, { message: name })))).to.equal(`Echo: ${name}`);
      }
      expect(tools[0]?.description).to.contain('echo(').and.not.to.contain('guide_echo');
    });
  });
});
