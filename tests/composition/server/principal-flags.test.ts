import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { readConfiguration } from '../../../src/composition/configuration/configuration.js';
import { withOwnProject } from '../../../src/composition/server/principal-flags.js';
import { isolatedOptions } from '../../support/isolated-options.js';

const OWN = isolatedOptions();
const [WORKSPACE, CONFIG] = [join(OWN.workspace, 'teams/red'), join(OWN.workspace, 'settings.yaml')];
mkdirSync(WORKSPACE, { recursive: true });

describe('Project flags of a principal in a shared store', () => {
  const projectUnder = async (settings: string, given?: string) => {
    writeFileSync(CONFIG, settings);
    const flags = given === undefined ? {} : { flags: { project: given } };
    const options = { ...OWN, ...flags, workspace: WORKSPACE, config: CONFIG };
    const configuration = await readConfiguration(options);
    return withOwnProject(options, configuration, OWN.workspace).flags?.project;
  };

  it('are those of its folder, also where the project has a name', async () => {
    expect(await projectUnder('project: { name: castle }\n')).to.equal('castle:teams/red');
    expect(await projectUnder('project: { name: castle }\n', 'given')).to.equal('given:teams/red');
    expect(await projectUnder('log: {}\n'), 'the store takes the path of the folder').to.equal(undefined);
  });
});
