import { expect } from 'chai';
import { isJsonObject } from '../../src/domain/json-value.js';
import { CliWorkspace } from '../support/cli-workspace.js';
import type { WireMessage } from '../support/spawned-server.js';

/** Says at the end what the process knew and what it had loaded. */
const WITNESS = `const fs = require('node:fs');
const read = fs.readFileSync;
let examples = false;
fs.readFileSync = (file, ...rest) => {
  examples ||= String(file).includes('example-tools');
  return read(file, ...rest);
};
process.on('exit', () => {
  process.stderr.write('prefix=' + JSON.stringify(process.env.MCP_TOOL_PREFIX) + '\\n');
  process.stderr.write('examples=' + examples + '\\n');
});`;

describe('names and examples, as the environment says', () => {
  let project: CliWorkspace;

  beforeEach(() => {
    project = new CliWorkspace();
  });

  afterEach(() => project.remove());

  async function listed(env: NodeJS.ProcessEnv, args: string[] = []) {
    const witness = project.write('witness.cjs', WITNESS);
    const { code, stdout, stderr } = await project.run(['tools', '--json', ...args], {
      env: { ...env, NODE_OPTIONS: `--require=${witness}` },
    });
    expect(code, stderr).to.equal(0);
    const tools: { name: string; description: string }[] = JSON.parse(stdout).tools;
    return { tools, names: tools.map(({ name }) => name), stderr };
  }

  function textOf({ result }: WireMessage): unknown {
    const [block]: unknown[] = Array.isArray(result?.content) ? result.content : [];
    return isJsonObject(block) ? block.text : undefined;
  }

  it('lists guide_echo with MCP_TOOL_PREFIX=guide and finds it with and without, with any separator', async () => {
    const server = project.serve([], { MCP_TOOL_PREFIX: 'guide' });
    await server.initialize();
    const { result } = await server.request('list', 'tools/list', {});
    expect(JSON.stringify(result)).to.contain('"guide_echo"').and.not.contain('"name":"echo"');
    for (const [id, name] of ['guide_echo', 'echo', 'guide-echo', 'guide.echo'].entries()) {
      expect(textOf(await server.callTool(id, name, { message: name }))).to.equal(`Echo: ${name}`);
    }
  });

  it('lists echo without a prefix with MCP_TOOL_PREFIX=', async () => {
    expect((await listed({ MCP_TOOL_PREFIX: '' })).names).to.include('echo');
  });

  it('does not start with a prefix that would make names no client takes', async () => {
    const { code, stderr } = await project.run(['tools'], { env: { MCP_TOOL_PREFIX: 'a b' } });
    expect(code).to.equal(3);
    expect(stderr).to.contain('MCP_TOOL_PREFIX').and.contain('got "a b"');
  });

  it("S0-33: the command puts the settings' prefix into the environment where none is", async () => {
    project.write('named.yaml', 'tool_prefix: guide\n');
    const { names, stderr } = await listed({}, ['--config', 'named.yaml']);
    expect(names).to.include('guide_echo');
    expect(stderr).to.contain('prefix="guide"');
  });

  it('S0-35: the command leaves an empty prefix of the environment as it is', async () => {
    project.write('named.yaml', 'tool_prefix: guide\n');
    const { names, stderr } = await listed({ MCP_TOOL_PREFIX: '' }, ['--config', 'named.yaml']);
    expect(names).to.include('echo');
    expect(stderr).to.contain('prefix=""');
  });

  it('S0-36, S0-39: importing the example module declares its tools, and true registers them', async () => {
    const { names, stderr } = await listed({ MCP_INCLUDE_EXAMPLE_TOOLS: 'true' });
    expect(names).to.include.members(['example_countdown', 'example_forget']);
    expect(stderr).to.contain('examples=true');
  });

  it('S0-37, S0-38: a declared tool is registered with its complete description', async () => {
    project.write('full.yaml', 'tool_descriptions: full\n');
    const environment = { MCP_INCLUDE_EXAMPLE_TOOLS: 'true', MCP_TOOL_PREFIX: 'guide' };
    const { tools } = await listed(environment, ['--config', 'full.yaml']);
    const tool = tools.find(({ name }) => name === 'guide_example_countdown');
    for (const part of ['## Description', '## JSON Schema', '## Usage', '## Examples']) {
      expect(tool?.description).to.contain(part);
    }
  });

  it('S0-40: any other value does not even load the example module', async () => {
    for (const value of ['1', 'TRUE', 'false', '']) {
      const { names, stderr } = await listed({ MCP_INCLUDE_EXAMPLE_TOOLS: value });
      expect(names.join()).to.not.contain('example');
      expect(stderr, value).to.contain('examples=false');
    }
  });
});
