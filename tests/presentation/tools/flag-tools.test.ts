import { expect } from 'chai';
import { FlagStore } from '../../../src/application/ports/flag/flag-store.js';
import { ToolRegistry } from '../../../src/application/ports/tool/tool-registry.js';
import type { Castellan } from '../../../src/composition/server/castellan.js';
import { createCastellan } from '../../../src/composition/server/create-castellan.js';
import { builtinTools } from '../../../src/presentation/tools/builtin-tools.js';
import { InMemoryFlagStore } from '../../../src/testing/in-memory-flag-store.js';

describe('The flag tools', () => {
  let flags: InMemoryFlagStore;
  let castellan: Castellan;

  beforeEach(async () => {
    flags = new InMemoryFlagStore({
      project: { both: 'project', own: ['x'] },
      global: { both: 'global', shared: { a: 'b' } },
    });
    castellan = await createCastellan({
      logLevel: 'silent',
      flags: { schemas: { colour: { enum: ['red', 'blue'] } } },
      configure: (container) => {
        container.rebind(FlagStore).toConstantValue(flags);
      },
    });
  });

  afterEach(() => castellan.close());

  async function value(tool: string, args: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    const outcome = await castellan.execute(tool, args);
    if (!outcome.success) throw new Error(outcome.error.message);
    return outcome.value.structured?.value;
  }

  async function refusal(tool: string, args: Readonly<Record<string, unknown>>) {
    const outcome = await castellan.execute(tool, args);
    if (outcome.success) throw new Error('it succeeded');
    return outcome;
  }

  it('S0-47: carry their scope in their names', () => {
    const names = builtinTools.map(({ name }) => name).filter((name) => name.includes('flag'));
    expect(names).to.have.length(6);
    for (const name of names) expect(name).to.match(/_(project|feature)_flags?$/);
  });

  it('S0-48: set, get and list of project flags are registered', () => {
    const registry = castellan.container.get(ToolRegistry);
    for (const name of ['set_project_flag', 'get_project_flag', 'list_project_flags']) {
      expect(registry.get(name)?.tool.enabled).to.equal(true);
    }
  });

  it('S0-51: set, get and list of feature flags are registered', () => {
    const registry = castellan.container.get(ToolRegistry);
    for (const name of ['set_feature_flag', 'get_feature_flag', 'list_feature_flags']) {
      expect(registry.get(name)?.tool.enabled).to.equal(true);
    }
  });

  it('S0-49: get and list of the project show its own value before the global one', async () => {
    expect(await value('get_project_flag', { flag: 'both' })).to.deep.equal({
      flag: 'both',
      value: 'project',
      reason: 'PROJECT',
    });
    expect(await value('list_project_flags')).to.have.property('both', 'project');
  });

  it('S0-50: the global value is the default of the project', async () => {
    expect(await value('get_project_flag', { flag: 'shared' })).to.deep.equal({
      flag: 'shared',
      value: { a: 'b' },
      reason: 'GLOBAL',
    });
    expect(await value('list_project_flags')).to.deep.equal({
      both: 'project',
      own: ['x'],
      shared: { a: 'b' },
    });
  });

  it('says ABSENT where nobody sets the flag', async () => {
    for (const tool of ['get_project_flag', 'get_feature_flag']) {
      expect(await value(tool, { flag: 'none' })).to.deep.equal({
        flag: 'none',
        value: null,
        reason: 'ABSENT',
      });
    }
  });

  it('S0-52: the global tools see global flags only, without merging', async () => {
    expect(await value('get_feature_flag', { flag: 'own' })).to.have.property('reason', 'ABSENT');
    expect(await value('get_feature_flag', { flag: 'both' })).to.deep.equal({
      flag: 'both',
      value: 'global',
      reason: 'GLOBAL',
    });
    expect(await value('list_feature_flags')).to.deep.equal({ both: 'global', shared: { a: 'b' } });
  });

  it('S0-52: the global tools work while the project flags cannot even be read', async () => {
    const all = flags.all.bind(flags);
    flags.all = (scope) => {
      if (scope === 'project') throw new Error('the project was touched');
      return all(scope);
    };
    await value('set_feature_flag', { flag: 'x' });
    expect(await value('get_feature_flag', { flag: 'x' })).to.have.property('value', true);
    await value('list_feature_flags');
  });

  it('S0-53: a write through one scope never touches the other', async () => {
    await value('set_feature_flag', { flag: 'own', value: 'global now' });
    await value('set_project_flag', { flag: 'shared', value: false });
    await value('set_feature_flag', { flag: 'both', value: null });
    expect(await value('list_project_flags', { active: false })).to.deep.equal({
      both: 'project',
      own: ['x'],
      shared: false,
    });
    expect(await value('list_feature_flags')).to.deep.equal({ own: 'global now', shared: { a: 'b' } });
  });

  it('set true where no value is given, and remove with null', async () => {
    expect(await value('set_project_flag', { flag: 'fresh' })).to.deep.equal({ flag: 'fresh', value: true });
    expect(await value('set_project_flag', { flag: 'fresh', value: null })).to.deep.equal({
      flag: 'fresh',
      value: null,
    });
    expect(await value('get_project_flag', { flag: 'fresh' })).to.have.property('reason', 'ABSENT');
  });

  it('list by a name or a glob', async () => {
    expect(await value('list_project_flags', { filter: 'o*' })).to.deep.equal({ own: ['x'] });
    expect(await value('list_feature_flags', { filter: 'shared' })).to.deep.equal({ shared: { a: 'b' } });
    expect(await value('list_feature_flags', { filter: 'none' })).to.deep.equal({});
  });

  for (const args of [
    { flag: 'a.b' },
    { flag: '' },
    { flag: 'a', value: 1 },
    { flag: 'a', value: { b: { c: 'd' } } },
    { flag: 'a', value: ['b', 1] },
    { flag: 'a', scope: 'global' },
  ]) {
    it(`refuse ${JSON.stringify(args)} and say which field`, async () => {
      const { error, errorType } = await refusal('set_project_flag', args);
      expect(errorType).to.equal('ToolValidationError');
      expect(error.message).to.match(/flag|value|scope/);
    });
  }

  it('refuse a value that the schema in the settings does not allow', async () => {
    const { error } = await refusal('set_project_flag', { flag: 'colour', value: 'green' });
    expect(error.message).to.match(/The flag colour may not hold this value/);
    expect(await value('set_feature_flag', { flag: 'colour', value: 'blue' })).to.have.property(
      'value',
      'blue',
    );
  });

  it('tell why the store cannot be reached', async () => {
    flags.breakWith('The flags cannot be reached.');
    const { error, errorType } = await refusal('get_project_flag', { flag: 'a' });
    expect(errorType).to.equal('FlagStoreUnavailable');
    expect(error.message).to.equal('The flags cannot be reached.');
  });
});
