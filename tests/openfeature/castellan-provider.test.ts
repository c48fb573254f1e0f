import { type Client, OpenFeature, ProviderEvents } from '@openfeature/server-sdk';
import { expect } from 'chai';
import { parseFlagName } from '../../src/domain/flag/flag.js';
import { CastellanProvider } from '../../src/openfeature/castellan-provider.js';
import { InMemoryFlagStore } from '../../src/testing/in-memory-flag-store.js';
import { eventually } from '../support/eventually.js';

describe('CastellanProvider for OpenFeature', () => {
  let flags: InMemoryFlagStore;
  let client: Client;

  before(async () => {
    flags = new InMemoryFlagStore({
      project: { beta: true, colour: 'blue', both: 'project' },
      global: { both: 'global', limit: '42', teams: ['core'], owners: { core: ['ada'] } },
    });
    await OpenFeature.setProviderAndWait('castellan-test', new CastellanProvider(flags));
    client = OpenFeature.getClient('castellan-test');
  });

  after(() => OpenFeature.close());

  it('evaluates the flags of the project with the reason PROJECT', async () => {
    expect(await client.getBooleanDetails('beta', false)).to.include({ value: true, reason: 'PROJECT' });
    expect(await client.getStringDetails('both', 'x')).to.include({ value: 'project', reason: 'PROJECT' });
  });

  it('evaluates global flags with the reason GLOBAL, of every type', async () => {
    expect(await client.getNumberDetails('limit', 0)).to.include({ value: 42, reason: 'GLOBAL' });
    expect(await client.getObjectValue('teams', [])).to.deep.equal(['core']);
    expect(await client.getObjectDetails('owners', {})).to.deep.include({
      value: { core: ['ada'] },
      reason: 'GLOBAL',
    });
  });

  it('gives the default of an absent flag with the reason ABSENT', async () => {
    const details = await client.getStringDetails('nobody-sets-it', 'fallback');
    expect(details).to.include({ value: 'fallback', reason: 'ABSENT' });
    expect(details.errorCode).to.equal(undefined);
  });

  it('gives the default and says why where the type is another or the name is none', async () => {
    expect(await client.getBooleanDetails('colour', true)).to.include({
      value: true,
      reason: 'ERROR',
      errorCode: 'TYPE_MISMATCH',
    });
    expect(await client.getNumberDetails('colour', 7)).to.include({ value: 7, errorCode: 'TYPE_MISMATCH' });
    expect(await client.getBooleanDetails('a.b', true)).to.include({ errorCode: 'FLAG_NOT_FOUND' });
  });

  it('gives the default and says why while the store is away', async () => {
    flags.breakWith('The flags are away.');
    const details = await client.getBooleanDetails('beta', false);
    flags.breakWith(undefined);
    expect(details).to.include({ value: false, errorCode: 'GENERAL', errorMessage: 'The flags are away.' });
  });

  it('tells the application when flags change', async () => {
    let heard = 0;
    client.addHandler(ProviderEvents.ConfigurationChanged, () => {
      heard += 1;
    });
    const name = parseFlagName('beta');
    if (!name.success) throw new Error(name.error);
    await flags.set('project', name.value, false);
    await eventually('the event', () => heard > 0);
    expect(await client.getBooleanValue('beta', true)).to.equal(false);
  });
});
