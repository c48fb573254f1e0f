import { expect } from 'chai';
import { Container } from 'inversify';
import { describe, it } from 'mocha';
import { CallGate } from '../../src/application/ports/call-gate.js';
import { Logger } from '../../src/application/ports/logger.js';
import { ToolSandbox } from '../../src/application/ports/tool-sandbox.js';
import { applicationModule } from '../../src/composition/application.module.js';
import { Castellan } from '../../src/composition/castellan.js';
import { checkBindings, createContainer } from '../../src/composition/container.js';
import { createCastellan } from '../../src/composition/create-castellan.js';
import { infrastructureModule } from '../../src/composition/infrastructure.module.js';
import { presentationModule } from '../../src/composition/presentation.module.js';
import { toolsModule } from '../../src/composition/tools.module.js';
import { RecordingLogger } from '../../src/testing/testing.js';
import { levelsOf } from '../support/pipeline.js';
import { mustValue, textOf } from '../support/sample-tool.js';

describe('the container', () => {
  it('has everything bound', () => {
    expect(() => checkBindings(createContainer({}))).not.to.throw();
  });

  it('S4-24: does not start without a port, and names every one that is missing', () => {
    const container = createContainer({});
    container.unbind(CallGate);
    container.unbind(ToolSandbox);
    expect(() => Castellan.open(container)).to.throw(/CallGate.*ToolSandbox|ToolSandbox.*CallGate/);
  });

  it('lets configure rebind any port', async () => {
    const logger = new RecordingLogger();
    const castellan = await createCastellan({
      configure: (container) => container.rebind(Logger).toConstantValue(logger),
    });
    await castellan.execute('echo');
    await castellan.close();
    expect(levelsOf(logger)).to.include('trace Tool called: echo');
  });

  it('loads its modules into a container of the host', async () => {
    const container = new Container();
    container.load(
      infrastructureModule({ logLevel: 'silent' }),
      applicationModule(),
      presentationModule(),
      toolsModule(),
    );
    const castellan = Castellan.open(container);
    expect(textOf(mustValue(await castellan.execute('echo', { message: 'x' })))).to.equal('Echo: x');
    await castellan.close();
  });
});
