import { expect } from 'chai';
import { FlagStore } from '../../../src/application/ports/flag/flag-store.js';
import { Logger } from '../../../src/application/ports/system/logger.js';
import { ToolRegistry } from '../../../src/application/ports/tool/tool-registry.js';
import type { Castellan } from '../../../src/composition/server/castellan.js';
import { createCastellan } from '../../../src/composition/server/create-castellan.js';
import { InMemoryFlagStore } from '../../../src/testing/in-memory-flag-store.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';
import { eventually } from '../../support/eventually.js';
import { definition, mustValue } from '../../support/sample-tool.js';

describe('A tool switched by a flag', () => {
  let flags: InMemoryFlagStore;
  let logger: RecordingLogger;
  let castellan: Castellan;
  let changes: number;

  async function open(enabledBy: Record<string, string>): Promise<void> {
    logger = new RecordingLogger();
    castellan = await createCastellan({
      flags: { enabledBy },
      configure: (container) => {
        container.rebind(FlagStore).toConstantValue(flags);
        container.rebind(Logger).toConstantValue(logger);
      },
    });
    changes = 0;
    castellan.container.get(ToolRegistry).onChange(() => {
      changes += 1;
    });
  }

  const enabled = () => castellan.container.get(ToolRegistry).get('echo')?.tool.enabled;

  beforeEach(() => {
    flags = new InMemoryFlagStore();
  });

  afterEach(() => castellan.close());

  it('is off while the flag is absent, and says so when it is called', async () => {
    await open({ echo: 'beta' });
    const outcome = await castellan.execute('echo');
    if (outcome.success) throw new Error('it ran');
    expect(outcome.error.kind).to.equal('disabled');
  });

  it('is on from the start where the flag is', async () => {
    flags = new InMemoryFlagStore({ global: { beta: true } });
    await open({ echo: 'beta' });
    expect(enabled()).to.equal(true);
    expect((await castellan.execute('echo')).success).to.equal(true);
  });

  it('follows the flag, project before global, and the registry tells of each change once', async () => {
    await open({ echo: 'beta' });
    await castellan.execute('set_feature_flag', { flag: 'beta' });
    await eventually('it is on', () => enabled() === true);
    await castellan.execute('set_project_flag', { flag: 'beta', value: false });
    await eventually('it is off', () => enabled() === false);
    expect(changes).to.equal(2);
    await castellan.execute('set_project_flag', { flag: 'unrelated' });
    await castellan.execute('set_project_flag', { flag: 'beta', value: null });
    await eventually('it is on again', () => enabled() === true);
    expect(changes).to.equal(3);
  });

  it('stays as it was while the flags cannot be read', async () => {
    flags = new InMemoryFlagStore({ project: { beta: true } });
    await open({ echo: 'beta' });
    flags.breakWith('The flags are away.');
    await eventually('the operator is told', () =>
      logger.records.some(({ message }) => message === 'Tools stay as they are: The flags are away.'),
    );
    expect(enabled()).to.equal(true);
  });

  it('is off where the flags could never be read, and on as soon as they can', async () => {
    flags = new InMemoryFlagStore({ project: { beta: true } });
    flags.breakWith('The flags are away.');
    await open({ echo: 'beta' });
    expect(enabled()).to.equal(false);
    expect(logger.records.map(({ message }) => message)).to.include(
      'Tools stay as they are: The flags are away.',
    );
    flags.breakWith(undefined);
    await eventually('it is on', () => enabled() === true);
  });

  it('may be unknown: the operator is warned and nothing else happens', async () => {
    await open({ no_such_tool: 'beta' });
    expect(logger.records.map(({ message }) => message).join()).to.match(
      /no_such_tool, and there is no such tool/,
    );
  });

  it('is off as soon as it is registered, until the flag is read', async () => {
    flags = new InMemoryFlagStore({ global: { beta: true } });
    await open({ first: 'alpha', second: 'beta' });
    const registry = castellan.container.get(ToolRegistry);
    for (const name of ['first', 'second']) {
      mustValue(castellan.registerTool(definition({ name })));
      expect(registry.get(name)?.tool.enabled).to.equal(false);
    }
    await eventually('the flag has been read', () => registry.get('second')?.tool.enabled === true);
    expect(registry.get('first')?.tool.enabled).to.equal(false);
    mustValue(castellan.replaceTool(definition({ name: 'first' })));
    expect(registry.get('first')?.tool.enabled).to.equal(false);
  });
});
