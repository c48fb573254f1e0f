import { expect } from 'chai';
import { Container } from 'inversify';
import { describe, it } from 'mocha';
import { ReadFileHandler } from '../../src/application/file/read-file.js';
import { Logger } from '../../src/application/ports/system/logger.js';
import { CallGate } from '../../src/application/ports/tool/call-gate.js';
import { ToolSandbox } from '../../src/application/ports/tool/tool-sandbox.js';
import { readConfiguration } from '../../src/composition/configuration/configuration.js';
import { Bound, castellanModule, checkBindings, createContainer } from '../../src/composition/container.js';
import { Castellan } from '../../src/composition/server/castellan.js';
import { createCastellan } from '../../src/composition/server/create-castellan.js';
import { RecordingLogger } from '../../src/testing/testing.js';
import { isolatedOptions } from '../support/isolated-options.js';
import { levelsOf } from '../support/pipeline.js';
import { mustValue, textOf } from '../support/sample-tool.js';

const OWN = isolatedOptions();

describe('the container', () => {
  it('has everything bound', async () => {
    const container = createContainer(await readConfiguration(OWN), OWN);
    expect(() => checkBindings(container)).not.to.throw();
  });

  it('can make everything that its modules bind', async () => {
    const container = createContainer(await readConfiguration(OWN), OWN);
    const bound = [...container.get(Bound)];
    expect(bound.length).to.be.above(100);
    for (const token of bound) expect(() => container.getAll(token), String(token)).not.to.throw();
  });

  it('S4-24: does not start without a port, and names every one that is missing', async () => {
    const container = createContainer(await readConfiguration(OWN), OWN);
    container.unbind(CallGate);
    container.unbind(ToolSandbox);
    expect(() => Castellan.open(container)).to.throw(/CallGate.*ToolSandbox|ToolSandbox.*CallGate/);
  });

  it('names a class that is missing as it names a port', async () => {
    const container = createContainer(await readConfiguration(OWN), OWN);
    container.unbind(ReadFileHandler);
    expect(() => checkBindings(container)).to.throw(/ReadFileHandler/);
  });

  it('says which module to load where none is', () => {
    expect(() => Castellan.open(new Container())).to.throw(/castellanModule/);
  });

  it('lets configure rebind any port', async () => {
    const logger = new RecordingLogger();
    const castellan = await createCastellan({
      ...OWN,
      configure: (container) => container.rebind(Logger).toConstantValue(logger),
    });
    await castellan.execute('echo');
    await castellan.close();
    expect(levelsOf(logger)).to.include('trace Tool called: echo');
  });

  it('loads its module into a container of the host', async () => {
    const configuration = await readConfiguration(OWN);
    const container = new Container();
    container.load(castellanModule(configuration, OWN));
    const castellan = Castellan.open(container);
    expect(textOf(mustValue(await castellan.execute('echo', { message: 'x' })))).to.equal('Echo: x');
    await castellan.close();
  });
});
