import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { CliWorkspace } from '../support/cli-workspace.js';

interface Block {
  readonly text: string;
  readonly annotations?: { readonly audience?: readonly string[] };
}

/** What a client of the built server gets without any setting. */
describe('the word for the user and the word for the agent, as shipped', () => {
  let project: CliWorkspace;
  beforeEach(() => {
    project = new CliWorkspace();
  });
  afterEach(() => project.remove());

  const call = async (name: string, args: object) => {
    const server = project.serve();
    await server.initialize();
    const { result } = await server.callTool(1, name, args);
    const content: readonly Block[] = JSON.parse(JSON.stringify(result?.content ?? []));
    const told = (reader: string) =>
      content.filter(({ annotations }) => annotations?.audience?.join() === reader).map(({ text }) => text);
    return { first: content[0]?.text ?? '', user: told('user'), agent: told('assistant') };
  };

  it('S1-21, S1-15: get_project_config tells the agent to review what it shows', async () => {
    const { first, agent } = await call('get_project_config', {});
    expect(first).to.contain('categories');
    expect(agent.join()).to.match(/review/i);
  });

  it('S1-21, S0-09: for a project that is not there it tells the user so, and the agent to make none', async () => {
    const { first, user, agent } = await call('get_project_config', { project: 'gone' });
    expect(first).to.match(/^NotFoundError \(-32005\): /);
    expect(user).to.have.length(1);
    expect(user.join()).to.match(/gone/);
    expect(agent).to.have.length(1);
    expect(agent.join()).to.match(/not attempt to create/i);
  });
});
