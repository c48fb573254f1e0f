import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { readConfiguration } from '../../src/composition/configuration/configuration.js';
import { CliWorkspace } from '../support/cli-workspace.js';
import { eventually } from '../support/eventually.js';
import type { SpawnedServer } from '../support/spawned-server.js';

const OPEN = 'extends: [builtin:workspace]\n';
const CLOSED = `${OPEN}tools: { echo: { enabled: false } }\n`;

describe('files that make up the policy', () => {
  let project: CliWorkspace;

  beforeEach(() => {
    project = new CliWorkspace();
  });

  afterEach(() => project.remove());

  async function answer(server: SpawnedServer, id: number, tool: string, args: object = {}): Promise<string> {
    return JSON.stringify((await server.callTool(id, tool, { ...args })).result);
  }

  function userPolicy(text: string): string {
    const file = join(project.env.XDG_CONFIG_HOME ?? '', 'castellan', 'permissions.yaml');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode: 0o644 });
    return file;
  }

  it('a named one in the writable workspace is reloaded after trust, and refusals say so until then', async () => {
    const file = project.write('p.yaml', OPEN);
    const server = project.serve(['--policy', 'p.yaml']);
    await server.initialize();
    let id = 0;
    const refusal = () => {
      id += 1;
      return answer(server, id, 'write_file', { path: '/etc/x', content: '' });
    };
    expect(await refusal()).to.not.include('castellan trust');
    // The server may look at the file for the first time only now; either way it must not take it up.
    await eventually('the change is told of', async () => {
      project.write('p.yaml', CLOSED);
      return (await refusal()).includes('castellan trust p.yaml');
    });
    expect(await answer(server, 9001, 'echo', { message: 'still here' })).to.include('still here');
    await project.run(['trust', file]);
    await eventually('the trusted change is taken up', async () => {
      id += 1;
      return (await answer(server, id, 'echo', { message: 'x' })).includes('ToolDisabledError');
    });
    expect(await refusal()).to.not.include('castellan trust');
  });

  it('a found one that changed since it was trusted is told by doctor and by refusals', async () => {
    project.write('permissions.yaml', OPEN);
    await project.run(['trust']);
    project.write('permissions.yaml', CLOSED);
    expect((await project.run(['doctor'])).stdout).to.match(/permissions\.yaml changed since it was trusted/);
    const call = await project.run(['call', 'write_file', '{"path":"a","content":""}']);
    expect(call.stdout + call.stderr).to.include('castellan trust permissions.yaml');
    project.write('permissions.yaml', OPEN);
    expect((await project.run(['doctor'])).stdout).to.not.match(/changed since/);
  });

  it("the user's own holds where the project has none; doctor and explain name it", async () => {
    const file = userPolicy('tools: { write_file: { allowed_paths: [mine] } }\n');
    const explain = await project.run(['policy', 'explain', 'write_file', '{"path":"mine/a","content":""}']);
    expect(explain.stdout).to.match(/decision +allow/);
    expect(explain.stdout).to.include(file);
    expect((await project.run(['doctor'])).stdout).to.include(`${file} (your own, for every project)`);
    chmodSync(file, 0o666);
    const refused = await project.run(['policy', 'explain', 'echo', '{}']);
    expect(refused.code).to.equal(3);
    expect(refused.stderr).to.include(`${file}:1:1: This file always counts`);
  });

  it('the ceiling of the machine applies beside whatever is named, or refuses the start', async () => {
    const ceiling = project.write('machine.yaml', 'extends: []\ntools: { echo: {} }\n');
    chmodSync(ceiling, 0o644);
    const options = { workspace: project.folder, environment: project.env };
    const owned = { path: ceiling, owners: [process.getuid?.() ?? 0] };
    const { policy } = await readConfiguration(options, { ceiling: owned });
    expect(policy.current().origin).to.include(ceiling);
    await policy.close();
    const strange = { path: ceiling, owners: [(process.getuid?.() ?? 0) + 1] };
    const failure = await readConfiguration(options, { ceiling: strange }).catch(String);
    expect(failure).to.include('machine.yaml:1:1: This file always counts, so it must belong to');
  });
});
