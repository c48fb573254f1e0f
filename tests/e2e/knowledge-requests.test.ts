import { symlinkSync } from 'node:fs';
import { expect } from 'chai';
import { CliWorkspace } from '../support/cli-workspace.js';
import type { SpawnedServer } from '../support/spawned-server.js';

const SECRET = 'top secret walnut';

describe('Documents asked of the built server', () => {
  let project: CliWorkspace;
  let server: SpawnedServer;
  let count = 0;

  before(async () => {
    project = new CliWorkspace();
    project.write('docs/lang/python.md', '# Python\n\nIndent with four spaces.\n');
    project.write('docs/lang/java.md', '# Java\n\nOne class a file.\n');
    project.write('docs/patterns/sub/retry.md', '# Retry\n\nThree times.\n');
    project.write('docs/secret.md', `# Secret\n\n${SECRET}\n`);
    symlinkSync('../secret.md', project.path('docs/lang/link.md'));
    const config = project.write(
      'castellan.yaml',
      'categories: { lang: { dir: docs/lang }, patterns: { dir: docs/patterns } }\n',
    );
    const policy = project.write(
      'permissions.yaml',
      'version: 1\nextends: [builtin:workspace]\ntools: { create_document: { allowed_paths: [docs] } }\n',
    );
    server = project.serve(['--config', config, '--policy', policy]);
    await server.initialize();
  });
  after(() => project.remove());

  const ask = async (method: string, params: object) => {
    count += 1;
    const { result, error } = await server.request(count, method, params);
    return JSON.stringify(result ?? error);
  };
  const call = (name: string, args: object) => ask('tools/call', { name, arguments: args });

  it('S0-66: an expression with a slash is the same as expression and pattern', async () => {
    const apart = await call('get_content', { expression: 'lang', pattern: 'python' });
    expect(apart).to.equal(await call('get_content', { expression: 'lang/python' }));
    expect(apart).to.include('Indent with four spaces.').and.not.include('One class a file.');
    expect(await call('get_content', { expression: 'lang' })).to.include('One class a file.');
  });

  it('S3-19: knowledge stays in its folder: .. is refused, also where it would lead back, and links are not followed', async () => {
    for (const expression of [
      'lang/../secret',
      'patterns/sub/../sub/retry',
      'lang/{..,x}/secret',
      'lang//etc/passwd',
    ]) {
      expect(await call('get_content', { expression }), expression)
        .to.include('ToolValidationError')
        .and.not.include(SECRET);
    }
    expect(await call('get_content', { expression: 'patterns/sub/retry' })).to.include('Three times.');
    for (const expression of ['lang', 'lang/link', 'lang/**']) {
      expect(await call('get_content', { expression }), expression).not.to.include(SECRET);
    }
    expect(await call('search_architecture', { query: 'walnut' })).not.to.include('secret.md');
    for (const uri of ['architecture://patterns/../secret', 'architecture://patterns/%2e%2e/secret']) {
      expect(await ask('resources/read', { uri }), uri).not.to.include(SECRET);
    }
    for (const name of ['sub/../x', '../x', '/etc/x']) {
      const made = { category_dir: 'lang', name, content: 'x', explicit_action: 'CREATE_DOCUMENT' };
      expect(await call('create_document', made), name).to.include('ToolValidationError');
    }
  });
});
