import { expect } from 'chai';
import { describe, it } from 'mocha';
import { AGENT_LINES } from '../../../support/agent-lines.js';
import { HONEST_FILE_LINES, HONEST_SCRIPTS } from '../../../support/honest-file-lines.js';
import { HONEST_PROJECT_LINES } from '../../../support/honest-project-lines.js';
import { decide, policyOf, verdict } from '../../../support/policy-bench.js';
import { REFUSED_COMMANDS } from '../../../support/refused-commands.js';

const FULL = 'extends: [builtin:workspace]\n';
const HONEST = [...AGENT_LINES, ...HONEST_PROJECT_LINES, ...HONEST_FILE_LINES, ...HONEST_SCRIPTS];
const SHELL_ONLY = Object.values(REFUSED_COMMANDS).flat();

const verdictOf = async (yaml: string, command: string): Promise<string> =>
  verdict(decide(await policyOf(yaml), 'execute_command', { command }));

describe('Lines as agents write them', () => {
  it('are several hundred, and under builtin:workspace none is refused for its form', async () => {
    expect(HONEST.length).to.be.at.least(400);
    const policy = await policyOf(FULL);
    const refused = HONEST.filter((command) =>
      /SHELL_SYNTAX|UNPARSEABLE|HAZARDOUS/.test(verdict(decide(policy, 'execute_command', { command }))),
    );
    expect(refused).to.deep.equal([]);
  });

  it('what the exact reading refuses is a text there, and refused under a policy of names', async () => {
    const full = await policyOf(FULL);
    const named = await policyOf('tools:\n  execute_command: { allowed_commands: [ls, cat, echo, id] }\n');
    const forms = (policy: typeof full) =>
      SHELL_ONLY.filter((command) =>
        /SHELL_SYNTAX/.test(verdict(decide(policy, 'execute_command', { command }))),
      );
    expect(forms(full)).to.deep.equal([]);
    expect(forms(named).length).to.be.above(100);
  });

  it('variables before a program pass where the policy accepts them', async () => {
    const names = (env: string) => `tools:\n  execute_command: { allowed_commands: [ls, git], ${env} }\n`;
    expect(await verdictOf(names('timeout: 30'), 'A=1 ls')).to.equal('deny SHELL_SYNTAX');
    expect(await verdictOf(names('env: { accept: [A] }'), 'A=1 ls')).to.equal('allow');
    expect(await verdictOf(names('env: { accept: [A] }'), 'export A=1; ls')).to.equal('allow');
    expect(await verdictOf(names('env: { accept: [A] }'), 'A=1 B=2 ls')).to.equal('deny SHELL_SYNTAX');
    // git's own variables keep a repository from running programs.
    expect(await verdictOf(names('env: { accept: [GIT_DIR] }'), 'GIT_DIR=x git status')).to.equal(
      'deny SHELL_SYNTAX',
    );
  });

  it('files below ~ are those of the private home', async () => {
    const named = 'tools:\n  execute_command: { allowed_commands: [cat, echo], sandbox: workspace }\n';
    expect(await verdictOf(named, 'cat ~/.npmrc')).to.equal('allow');
    expect(await verdictOf(named, 'echo x > ~/notes')).to.equal('allow');
    expect(await verdictOf(named, 'cat .npmrc')).to.equal('deny PROTECTED');
  });
});
