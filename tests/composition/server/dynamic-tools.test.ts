import { expect } from 'chai';
import { afterEach, describe, it } from 'mocha';
import { Logger } from '../../../src/application/ports/system/logger.js';
import { ToolRegistry } from '../../../src/application/ports/tool/tool-registry.js';
import type { Castellan } from '../../../src/composition/server/castellan.js';
import { createCastellan } from '../../../src/composition/server/create-castellan.js';
import { isJsonObject } from '../../../src/domain/json-value.js';
import { readPath } from '../../../src/domain/permission/policy/permission-request.js';
import { Result } from '../../../src/domain/result.js';
import { ToolResult } from '../../../src/domain/tool/tool-result.js';
import { RecordingLogger } from '../../../src/testing/testing.js';
import { isolatedOptions } from '../../support/isolated-options.js';
import { PipeClient } from '../../support/pipe-client.js';
import { levelsOf } from '../../support/pipeline.js';
import { policyFile } from '../../support/policy-file.js';
import { definition, mustFail, mustValue, runnable, textOf } from '../../support/sample-tool.js';

const OWN = isolatedOptions();
const LATE = 'late_tool';

function saying(text: string) {
  return definition({ name: LATE, run: () => Result.ok(ToolResult.text(text)) });
}

describe('Tools that are registered while the server runs', () => {
  let castellan: Castellan;
  const open = async (policy?: string) => {
    const logger = new RecordingLogger();
    castellan = await createCastellan({
      ...OWN,
      ...(policy !== undefined && { policy: policyFile(policy) }),
      configure: (container) => {
        container.rebind(Logger).toConstantValue(logger);
      },
    });
    return logger;
  };
  const listed = () => castellan.tools().map(({ name }) => name);
  const connect = async () => {
    const client = new PipeClient(castellan);
    await client.result('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    });
    return client;
  };
  const listedFor = async (client: PipeClient) => {
    const { tools } = await client.result('tools/list');
    return (Array.isArray(tools) ? tools : []).flatMap((tool) => (isJsonObject(tool) ? [tool.name] : []));
  };
  const noticesOf = ({ notices }: PipeClient) =>
    notices.filter(({ method }) => method === 'notifications/tools/list_changed').length;

  afterEach(() => castellan.close());

  it('S4-15: are listed, callable, logged and have a specification as any other; clients are told', async () => {
    const logger = await open();
    const client = await connect();
    expect(await listedFor(client)).not.to.include(LATE);
    mustValue(castellan.registerTool(saying('first')));
    expect(await listedFor(client)).to.include(LATE);
    expect(noticesOf(client)).to.equal(1);
    const { content } = await client.result('tools/call', { name: LATE, arguments: {} });
    expect(content).to.deep.equal([{ type: 'text', text: 'first' }]);
    expect(levelsOf(logger)).to.include.members([
      `trace Tool called: ${LATE}`,
      `debug Tool ${LATE} completed successfully`,
    ]);
    const page = await client.result('resources/read', { uri: `castellan://tools/${LATE}` });
    expect(JSON.stringify(page)).to.contain('Answers with a sample');
    await client.hangUp();
  });

  it('C10: are exchanged, and the new one is logged too; a wrong one leaves the old in its place', async () => {
    const logger = await open();
    const client = await connect();
    mustValue(castellan.registerTool(saying('first')));
    expect(mustFail(castellan.registerTool(saying('twice'))).errorType).to.equal('DuplicateTool');
    expect(mustFail(castellan.replaceTool(definition({ name: LATE, examples: [] }))).error).to.contain(
      'lacks',
    );
    expect(textOf(mustValue(await castellan.execute(LATE)))).to.equal('first');
    mustValue(castellan.replaceTool(saying('second')));
    logger.records.length = 0;
    expect(textOf(mustValue(await castellan.execute(LATE)))).to.equal('second');
    expect(levelsOf(logger)).to.include(`trace Tool called: ${LATE}`);
    const before = noticesOf(client);
    expect(castellan.unregisterTool('late-tool')).to.equal(true);
    expect(castellan.unregisterTool(LATE)).to.equal(false);
    expect(await listedFor(client)).not.to.include(LATE);
    expect(noticesOf(client)).to.be.greaterThan(before);
    expect(mustFail(await castellan.execute(LATE)).error.kind).to.equal('not-found');
    await client.hangUp();
  });

  it('S4-15: work through the port alone, also in the place of a built-in tool', async () => {
    const logger = await open();
    const registry = castellan.container.get(ToolRegistry);
    mustValue(registry.register(runnable({ name: LATE })));
    expect(listed()).to.include(LATE);
    expect(textOf(mustValue(await castellan.execute(LATE)))).to.equal('done');
    registry.unregister('echo');
    expect(listed()).not.to.include('echo');
    mustValue(registry.register(runnable({ name: 'echo' })));
    expect(textOf(mustValue(await castellan.execute('echo', {})))).to.equal('done');
    expect(levelsOf(logger)).to.include('trace Tool called: echo');
  });

  it('S4-24: have no more than an empty entry: what they ask for needs an allow', async () => {
    await open();
    mustValue(
      castellan.registerTool(definition({ name: LATE, permissions: () => [readPath('README.md', 'text')] })),
    );
    expect(mustFail(await castellan.execute(LATE)).error.kind).to.equal('permission-denied');
  });

  it('S4-24: follow the entry that the policy has for them', async () => {
    await open(`extends: [builtin:baseline]\ntools: { ${LATE}: { enabled: false } }\n`);
    mustValue(castellan.registerTool(saying('x')));
    expect(listed()).not.to.include(LATE);
    expect(mustFail(await castellan.execute(LATE)).error.kind).to.equal('disabled');
  });

  for (const [title, policy] of [
    ['a policy that starts from nothing', 'extends: []\ntools: { echo: {} }\n'],
    [
      'a role without them',
      'roles: { all: { tools: [echo] } }\nprincipals: [{ match: { transport: [embedded] }, roles: [all] }]\n',
    ],
  ] as const) {
    it(`S4-24: are refused under ${title}`, async () => {
      await open(policy);
      mustValue(castellan.registerTool(saying('x')));
      expect(listed()).to.include('echo').and.not.to.include(LATE);
      expect((await castellan.execute(LATE)).success).to.equal(false);
    });
  }

  it('S4-24: are unknown to the policy again when they are gone', async () => {
    await open();
    mustValue(castellan.registerTool(saying('x')));
    castellan.unregisterTool(LATE);
    const explained = mustValue(await castellan.execute('explain_permission', { tool: LATE, arguments: {} }));
    expect(JSON.stringify(explained)).to.contain('UNKNOWN_TOOL');
  });

  it('C31: an undescribed argument of plain JSON Schema is a warning in the log', async () => {
    const logger = await open();
    const raw = { type: 'object', properties: { word: { type: 'string' } } } as const;
    mustValue(castellan.registerTool({ ...saying('x'), input: raw }));
    mustValue(castellan.replaceTool({ ...saying('x'), input: raw, strict: false }));
    const warnings = levelsOf(logger).filter((line) => line.startsWith('warn'));
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.contain('argument word');
  });
});
