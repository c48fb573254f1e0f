import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ToolNaming } from '../../../src/application/tool/tool-naming.js';
import { configureEnvironment } from '../../../src/composition/configuration/configure-environment.js';
import { startCastellan } from '../../../src/composition/server/create-castellan.js';

describe("an application's own prefix", () => {
  const workspace = mkdtempSync(join(tmpdir(), 'castellan-prefix-'));
  const config = join(workspace, 'named.yaml');

  before(() => writeFileSync(config, 'tool_prefix: guide\nlog: { level: silent }\n'));
  after(() => rmSync(workspace, { recursive: true }));

  it('S0-33: is put into the environment when nothing is there', () => {
    const environment: NodeJS.ProcessEnv = {};
    configureEnvironment(environment, 'guide');
    expect(environment.MCP_TOOL_PREFIX).to.equal('guide');
  });

  it('S0-35: leaves a value that is there, the empty one as well', () => {
    for (const value of ['own', '']) {
      const environment: NodeJS.ProcessEnv = { MCP_TOOL_PREFIX: value };
      configureEnvironment(environment, 'guide');
      expect(environment.MCP_TOOL_PREFIX).to.equal(value);
    }
  });

  it('S0-34: is there before anything of the server is built', async () => {
    const environment: NodeJS.ProcessEnv = { XDG_STATE_HOME: workspace };
    let seen: string | undefined;
    const castellan = await startCastellan(
      {
        workspace,
        config,
        environment,
        configure: () => {
          seen = environment.MCP_TOOL_PREFIX;
        },
      },
      ({ settings }) => configureEnvironment(environment, settings.toolPrefix),
    );
    expect(seen).to.equal('guide');
    expect(castellan.container.get(ToolNaming).prefix).to.equal('guide');
    await castellan.close();
  });
});
