import { expect } from 'chai';
import { type FlagValue, parseFlagName } from '../../../src/domain/flag/flag.js';
import { TypeboxFlagSchemas } from '../../../src/infrastructure/flag/typebox-flag-schemas.js';

describe('TypeboxFlagSchemas', () => {
  const schemas = new TypeboxFlagSchemas({
    colour: { enum: ['red', 'blue'] },
    teams: { type: 'array', items: { type: 'string', minLength: 2 }, maxItems: 3 },
  });

  async function check(flag: string, value: FlagValue) {
    const name = parseFlagName(flag);
    if (!name.success) throw new Error(name.error);
    return schemas.check(name.value, value);
  }

  it('lets a flag without a schema hold anything', async () => {
    expect((await check('other', { any: 'thing' })).success).to.equal(true);
  });

  it('lets a value pass that fits', async () => {
    expect((await check('colour', 'red')).success).to.equal(true);
    expect((await check('teams', ['core', 'web'])).success).to.equal(true);
  });

  it('refuses one that does not, and says what is wrong with it', async () => {
    const colour = await check('colour', 'green');
    const teams = await check('teams', ['core', 'x']);
    if (colour.success || teams.success) throw new Error('they were taken');
    expect(colour.error).to.match(/The flag colour may not hold this value: the value must be equal/);
    expect(teams.error).to.match(/\/1 must not have fewer than 2 characters/);
  });
});
