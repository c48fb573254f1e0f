import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { Workspace } from '../../../src/application/ports/system/workspace.js';
import { ToolRegistry } from '../../../src/application/ports/tool/tool-registry.js';
import { Result } from '../../../src/domain/result.js';
import { ToolResult } from '../../../src/domain/tool/tool-result.js';
import { hashOf } from '../../../src/infrastructure/auth/token-file.js';
import { eventually } from '../../support/eventually.js';
import type { HttpClient } from '../../support/http-client.js';
import { listeningCastellan } from '../../support/http-host.js';
import { isolatedOptions } from '../../support/isolated-options.js';
import { definition, mustFail, mustValue, runnable } from '../../support/sample-tool.js';

const OWN = isolatedOptions();
const [POLICY, CONFIG] = [join(OWN.workspace, 'policy.yaml'), join(OWN.workspace, 'settings.yaml')];
const KEYS = { red: 'the-key-of-the-red-team', blue: 'the-key-of-the-blue-team' };
const LATE = 'late_tool';
const CHANGED = 'notifications/tools/list_changed';

writeFileSync(
  POLICY,
  `version: 1
extends: [builtin:baseline]
principals:
${Object.entries(KEYS)
  .map(
    ([team, key]) =>
      `  - { match: { api_key: "${hashOf(key)}" }, roles: [default], workspace: ./teams/${team} }\n`,
  )
  .join('')}`,
);
writeFileSync(CONFIG, 'tools: { exclude: [kept_away] }\n');

/** Tells in which folder it was called. */
const late = (word: string, name = LATE) =>
  definition({
    name,
    category: 'ai',
    needs: { workspace: Workspace },
    run: (_args, { workspace }) =>
      Result.ok(ToolResult.text(`${word} in ${basename((workspace as Workspace).root)}`)),
  });

describe('Tools that are registered while principals with folders of their own are connected', () => {
  let host: Awaited<ReturnType<typeof listeningCastellan>>;
  let red: HttpClient;
  let heard = '';
  let id = 100;

  const ask = async (client: HttpClient, method: string, params: object = {}) => {
    id += 1;
    return (await client.post({ jsonrpc: '2.0', id, method, params })).text;
  };
  const lists = async (client: HttpClient, name = LATE) =>
    (await ask(client, 'tools/list')).includes(`"name":"${name}"`);
  const call = (client: HttpClient, name = LATE) => ask(client, 'tools/call', { name, arguments: {} });
  const isTold = async (change: () => void) => {
    heard = '';
    change();
    await eventually('the client is told', () => heard.includes(CHANGED));
  };

  before(async () => {
    host = await listeningCastellan({ ...OWN, policy: POLICY, config: CONFIG });
    red = host.client(KEYS.red);
    await red.open();
    await red.listen((part) => {
      heard += part;
    });
  });

  after(() => host.castellan.close());

  it('are listed, called in the folder of the principal, exchanged and removed; its clients are told', async () => {
    const { castellan } = host;
    expect(await lists(red)).to.equal(false);
    await isTold(() => mustValue(castellan.registerTool(late('first'))));
    expect(await lists(red)).to.equal(true);
    expect(await call(red)).to.contain('first in red');
    await isTold(() => mustValue(castellan.replaceTool(late('second'))));
    expect(await call(red)).to.contain('second in red');
    await isTold(() => expect(castellan.unregisterTool(LATE)).to.equal(true));
    expect(await lists(red)).to.equal(false);
    expect(await call(red)).to.contain('ToolNotFoundError');
  });

  it('are there for a principal that comes later, and those removed before are not', async () => {
    const { castellan } = host;
    mustValue(castellan.registerTool(late('third')));
    castellan.unregisterTool('echo');
    const blue = host.client(KEYS.blue);
    await blue.open();
    expect(await call(blue)).to.contain('third in blue');
    expect(await lists(blue, 'echo')).to.equal(false);
    expect(await lists(red, 'echo')).to.equal(false);
    castellan.unregisterTool(LATE);
  });

  it('work through the port as well, each server with a switch of its own', async () => {
    const registry = host.castellan.container.get(ToolRegistry);
    await isTold(() => mustValue(registry.register(runnable({ name: 'from_port' }))));
    expect(await call(red, 'from_port')).to.contain('done');
    registry.setEnabled('from_port', false);
    expect(await call(red, 'from_port')).to.contain('done');
    await isTold(() => registry.unregister('from_port'));
    expect(await lists(red, 'from_port')).to.equal(false);
  });

  it('are refused if the settings keep them away, here and there', async () => {
    const { castellan } = host;
    expect(mustFail(castellan.registerTool(late('x', 'kept_away')))).to.include({
      errorType: 'ExcludedTool',
      error: '`tools.exclude` of the settings keeps the tool kept_away away.',
    });
    const byPort = castellan.container.get(ToolRegistry).register(runnable({ name: 'kept_away' }));
    expect(mustFail(byPort).errorType).to.equal('ExcludedTool');
    expect(await lists(red, 'kept_away')).to.equal(false);
    expect(mustFail(await castellan.execute('kept_away')).error.kind).to.equal('not-found');
  });
});
