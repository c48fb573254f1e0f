import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { before, describe, it } from 'mocha';
import { BackgroundProcesses } from '../../../../src/application/command/background/background-processes.js';
import { RunningCommands } from '../../../../src/application/command/running-commands.js';
import { Sessions } from '../../../../src/application/session/sessions.js';
import { Result } from '../../../../src/domain/result.js';
import { ToolResult } from '../../../../src/domain/tool/tool-result.js';
import { SystemTimer } from '../../../../src/infrastructure/system/system-timer.js';
import { Session2025Connections } from '../../../../src/presentation/mcp/session-2025/session-2025-connections.js';
import { StdioServer } from '../../../../src/presentation/mcp/stdio/stdio-server.js';
import { ClientNotices } from '../../../../src/presentation/mcp/surface/client-notices.js';
import { SequentialIds } from '../../../../src/testing/testing.js';
import { eventually } from '../../../support/eventually.js';
import { Pipeline } from '../../../support/pipeline.js';
import { runnable } from '../../../support/sample-tool.js';
import { initialize, modernOf, OPTIONS, surfaceOf } from '../../../support/wire.js';

function setUp() {
  const pipeline = new Pipeline([
    runnable({ name: 'slow' }, async () => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      return Result.ok(ToolResult.text('done'));
    }),
  ]);
  const surface = surfaceOf(pipeline, OPTIONS);
  const sessions = new Sessions(pipeline.sessions, new SequentialIds('session'));
  const notices = new ClientNotices(surface, pipeline.registry, pipeline.policies);
  const commands = new RunningCommands(new SystemTimer());
  const processes = new BackgroundProcesses(new SequentialIds('p'), pipeline.clock);
  const connections = new Session2025Connections(
    surface,
    OPTIONS,
    sessions,
    notices,
    commands,
    pipeline.registry,
    processes,
  );
  const server = new StdioServer(
    connections,
    modernOf(pipeline, surface, sessions, notices),
    OPTIONS,
    pipeline.logger,
  );
  return { pipeline, server, input: new PassThrough(), output: new PassThrough() };
}

const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'slow' } };
const lines = (...messages: object[]) => messages.map((message) => `${JSON.stringify(message)}\n`).join('');

describe('StdioServer', () => {
  // What is loaded with the first call takes longer on a busy machine than a client that hangs up is waited for.
  before(async () => {
    const { server, input, output } = setUp();
    let said = '';
    output.on('data', (chunk: Buffer) => {
      said += chunk;
    });
    const serving = server.serve(input, output);
    input.write(lines(initialize(), CALL));
    await eventually('the call is answered', () => said.trimEnd().split('\n').length === 2, 50_000);
    input.end();
    await serving;
  });

  it('S4-24, S4-27: serves until the client hangs up, and ends what is under way', async () => {
    const { server, input, output, pipeline } = setUp();
    const serving = server.serve(input, output);
    input.end(lines(initialize(), CALL));
    await serving;
    output.end();
    const answers = (await text(output))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers.map(({ id }) => id)).to.deep.equal([0, 1]);
    expect(answers[1].result.content[0].text).to.equal('done');
    expect(pipeline.sessions.get('session-1')).to.equal(undefined);
  });

  it('ends when it is told to stop', async () => {
    const { server, input, output } = setUp();
    await server.stop();
    const serving = server.serve(input, output);
    input.write(lines(initialize()));
    await new Promise((resolve) => setImmediate(resolve));
    await server.stop();
    await serving;
    input.write(lines(CALL));
    await new Promise((resolve) => setTimeout(resolve, 50));
    output.end();
    expect((await text(output)).trimEnd().split('\n')).to.have.length(1);
  });

  it('S3-02: tells the client when the tools change, and nobody after the end', async () => {
    const { server, input, output, pipeline } = setUp();
    const serving = server.serve(input, output);
    input.write(lines(initialize()));
    await new Promise((resolve) => setImmediate(resolve));
    pipeline.registry.register(runnable({ name: 'fresh' }));
    await server.stop();
    await serving;
    pipeline.registry.unregister('fresh');
    output.end();
    expect((await text(output)).match(/list_changed"/g)).to.have.length(1);
  });
});
