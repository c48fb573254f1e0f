import { expect } from 'chai';
import { isJsonObject } from '../../src/domain/json-value.js';
import { CliWorkspace } from '../support/cli-workspace.js';

describe('Shipped prompts in a project without documents', () => {
  let project: CliWorkspace;

  beforeEach(() => {
    project = new CliWorkspace();
  });
  afterEach(() => project.remove());

  it('are rendered and say what to configure', async () => {
    const server = project.serve([]);
    await server.initialize();
    let count = 0;
    const get = async (name: string, args: object) => {
      count += 1;
      const { result, error } = await server.request(count, 'prompts/get', { name, arguments: args });
      expect(error, JSON.stringify(error)).to.equal(undefined);
      return JSON.stringify(isJsonObject(result) ? result.messages : undefined);
    };
    const record = await get('create-adr', { topic: 'Uploads' });
    expect(record)
      .to.include('check_adr_alignment is not available')
      .and.include('categories in castellan.yaml');
    expect(record).not.to.include('{{');
    const review = await get('review-code-against-patterns', { code: 'x', language: 'go' });
    expect(review).to.include('No document matches architecture://patterns/*').and.not.include('{{');
  });

  it('doctor tells it', async () => {
    const { stdout } = await project.run(['doctor']);
    expect(stdout)
      .to.match(/ok +prompts +the shipped ones have no documents/)
      .and.not.include('What to do');
  });
});
