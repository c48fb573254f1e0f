import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { CLIENT_FACTS } from '../../src/domain/client/client-facts.js';
import { Result } from '../../src/domain/result.js';
import { installCommand } from '../../src/presentation/cli/install/install-command.js';
import { CliWorkspace } from '../support/cli-workspace.js';
import { commandInProcess } from '../support/command-in-process.js';
import { MemoryOutput } from '../support/memory-output.js';

/** A cloned project may bring a link where a client keeps its settings. */
describe('castellan install and links in the project', () => {
  let project: CliWorkspace;
  let outside: string;
  const run = (...args: string[]) => commandInProcess(args, { cwd: project.folder, env: project.env });

  beforeEach(() => {
    project = new CliWorkspace();
    outside = join(project.folder, '..', 'outside');
    for (const folder of [outside, project.env.HOME ?? '']) mkdirSync(folder, { recursive: true });
    writeFileSync(join(outside, 'settings.json'), '{}\n');
  });

  afterEach(() => project.remove());

  const plants: Readonly<Record<string, () => void>> = {
    'the file itself': () => {
      mkdirSync(project.path('.gemini'));
      symlinkSync(join(outside, 'settings.json'), project.path('.gemini/settings.json'));
    },
    'its folder': () => symlinkSync(outside, project.path('.gemini')),
    'a relative link': () => symlinkSync('../outside', project.path('.gemini')),
    'a link to a link': () => {
      symlinkSync(outside, project.path('first'));
      symlinkSync('first', project.path('.gemini'));
    },
  };
  for (const [what, plant] of Object.entries(plants)) {
    for (const action of ['install', 'uninstall']) {
      it(`${action}: --yes alone does not write through ${what}, and says where it leads`, async () => {
        plant();
        const text =
          action === 'install' ? '{}\n' : '{ "mcpServers": { "castellan": { "command": "x" } } }\n';
        writeFileSync(join(outside, 'settings.json'), text);
        const refused = await run(action, 'gemini', '--yes');
        expect(refused.code).to.equal(2);
        expect(refused.stderr)
          .to.contain('is a symbolic link')
          .and.contain(join(project.folder, '..', 'outside', 'settings.json'))
          .and.contain('--follow-link');
        expect(readFileSync(join(outside, 'settings.json'), 'utf8')).to.equal(text);
        expect((await run(action, 'gemini', '--yes', '--follow-link')).code).to.equal(0);
        expect(readFileSync(join(outside, 'settings.json'), 'utf8')).not.to.equal(text);
      });
    }
  }

  it('a link to nothing is neither replaced nor followed', async () => {
    symlinkSync(join(outside, 'none'), project.path('.mcp.json'));
    const { code, stderr } = await run('install', 'claude', '--yes', '--follow-link');
    expect(code).to.equal(3);
    expect(stderr).to.contain('.mcp.json is a symbolic link').and.contain('Remove the link');
    expect(lstatSync(project.path('.mcp.json')).isSymbolicLink()).to.equal(true);
    expect(existsSync(join(outside, 'none'))).to.equal(false);
  });

  it('asks a person at a terminal, also with --yes, and names the file that would be written', async () => {
    const questions: string[] = [];
    const link = { at: '/p/.mcp.json', to: '/elsewhere/x.json' };
    const apply = async () => Result.failure('It was written.', 'Written');
    const plan = async () => Result.ok([{ path: link.at, link, diff: '+x', apply }]);
    const ask = async (question: string) => questions.push(question) > 1;
    const output = new MemoryOutput();
    const code = await installCommand(
      { client: 'claude', facts: CLIENT_FACTS.claude, plan, ask },
      'install',
      { name: 'c', yes: true },
      output,
    );
    expect(code).to.equal(1);
    expect(questions.join())
      .to.contain('/p/.mcp.json is a symbolic link')
      .and.contain('Write this to /elsewhere/x.json?');
  });
});
