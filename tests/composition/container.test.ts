import { expect } from 'chai';
import { Container } from 'inversify';
import { describe, it } from 'mocha';
import { Logger } from '../../src/application/ports/system/logger.js';
import { CallGate } from '../../src/application/ports/tool/call-gate.js';
import { ToolSandbox } from '../../src/application/ports/tool/tool-sandbox.js';
import { applicationModule } from '../../src/composition/application.module.js';
import { readConfiguration } from '../../src/composition/configuration/configuration.js';
import { checkBindings, createContainer } from '../../src/composition/container.js';
import { infrastructureModule } from '../../src/composition/modules/infrastructure.module.js';
import { presentationModule } from '../../src/composition/modules/presentation.module.js';
import { toolsModule } from '../../src/composition/modules/tools.module.js';
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

  it('S4-24: does not start without a port, and names every one that is missing', async () => {
    const container = createContainer(await readConfiguration(OWN), OWN);
    container.unbind(CallGate);
    container.unbind(ToolSandbox);
    expect(() => Castellan.open(container)).to.throw(/CallGate.*ToolSandbox|ToolSandbox.*CallGate/);
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

  it('loads its modules into a container of the host', async () => {
    const configuration = await readConfiguration(OWN);
    const container = new Container();
    container.load(
      infrastructureModule(configuration, OWN),
      applicationModule(),
      presentationModule(configuration, OWN),
      toolsModule(configuration, OWN),
    );
    const castellan = Castellan.open(container);
    expect(textOf(mustValue(await castellan.execute('echo', { message: 'x' })))).to.equal('Echo: x');
    await castellan.close();
  });
});
