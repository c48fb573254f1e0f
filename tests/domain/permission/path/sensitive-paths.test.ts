import { expect } from 'chai';
import { SECRET_PATHS } from '../../../../src/domain/permission/path/sensitive-paths.js';
import {
  MAY_BE_SECRET,
  unnamedWorkspaceProblem,
} from '../../../../src/domain/permission/policy/unnamed-workspace.js';
import { decide, policyOf, verdict } from '../../../support/policy-bench.js';

const PROTECTED = [
  '.pre-commit-config.yaml',
  '.gitlab-ci.yml',
  '.github/copilot-instructions.md',
  '.github/instructions/a.md',
  '.github/workflows/ci.yml',
  '.clinerules',
  '.clinerules/a.md',
  'opencode.json',
  '.opencode/agent.md',
  '.pnpmfile.cjs',
  '.castellan/prompts/x.md',
  '.windsurfrules',
  '.roo/rules.md',
  '.roomodes',
  '.kiro/steering.md',
  '.continue/config.ts',
  '.aider.conf.yml',
  '.codex/config.toml',
  '.zed/tasks.json',
  '.devcontainer/devcontainer.json',
  '.circleci/config.yml',
  'azure-pipelines.yml',
  'Jenkinsfile',
  '.travis.yml',
  'bitbucket-pipelines.yml',
  '.drone.yml',
  '.buildkite/pipeline.yml',
  '.woodpecker/a.yml',
  'lefthook.yml',
  'packages/a/AGENTS.md',
  'packages/a/.mcp.json',
];

const SECRET = [
  '.claude/.credentials.json',
  '.codex/auth.json',
  '.gemini/oauth_creds.json',
  '.config/github-copilot/apps.json',
  '.config/opencode/auth.json',
  '.local/share/opencode/auth.json',
  '.config/claude/config.json',
  '.cursor/auth.json',
  '.continue/config.yaml',
  '.continue/config.json',
  '.cache/huggingface/token',
];

const ORDINARY = [
  'package.json',
  'Makefile',
  'CMakeLists.txt',
  'pyproject.toml',
  '.gitignore',
  '.gitattributes',
  '.gitmodules',
  '.editorconfig',
  '.github/CODEOWNERS',
  '.github/ISSUE_TEMPLATE/bug.md',
  '.prettierrc',
  '.lintstagedrc.json',
  'docs/AGENTS.txt',
  'src/opencode.json.ts',
  'yarn.lock',
  '.pnp.cjs',
  'tests/conftest.py',
];

describe('built-in path refusals', () => {
  it('keep from being written whatever is executed or obeyed outside without being asked for', async () => {
    const policy = await policyOf('extends: [builtin:workspace]');
    for (const path of PROTECTED) {
      expect(verdict(decide(policy, 'create_directory', { path })), path).to.equal('deny PROTECTED');
      // The two that show what would change ask, but about git's own files and the policy.
      const isFinal = /(^|\/)(\.git|\.gitconfig|\.config\/git|\.castellan)(\/|$)/.test(path);
      for (const tool of ['write_file', 'edit_file'])
        expect(verdict(decide(policy, tool, { path })), `${tool} ${path}`).to.equal(
          isFinal ? 'deny PROTECTED' : 'ask',
        );
    }
  });

  it('keep the credentials of agents from being read', async () => {
    const policy = await policyOf(
      'extends: [builtin:workspace]\ntools: { read_file: { allowed_paths: [".", "~"] } }',
    );
    for (const path of SECRET) {
      for (const whole of [path, `/home/user/${path}`]) {
        expect(verdict(decide(policy, 'read_file', { path: whole })), whole).to.equal('deny PROTECTED');
      }
    }
  });

  it('leave alone what a person runs on purpose', async () => {
    const policy = await policyOf('extends: [builtin:workspace]');
    for (const path of ORDINARY)
      expect(verdict(decide(policy, 'write_file', { path })), path).to.equal('allow');
  });

  it('are lifted by an entry that names the file', async () => {
    const policy = await policyOf(
      'extends: [builtin:workspace]\ntools: { write_file: { allowed_paths: [".", .gitlab-ci.yml] } }',
    );
    expect(verdict(decide(policy, 'write_file', { path: '.gitlab-ci.yml' }))).to.equal('allow');
    expect(verdict(decide(policy, 'write_file', { path: 'Jenkinsfile' }))).to.equal('ask');
    expect(verdict(decide(policy, 'copy_path', { source: 'a', destination: 'Jenkinsfile' }))).to.equal(
      'deny PROTECTED',
    );
  });
});

describe('a workspace that nobody named', () => {
  const home = '/home/user';
  const refused = [
    ...['/', '/home', '/root', '/var', '/opt', '/etc', '/etc/nginx', '/usr', '/usr/share/x', '/boot', '/dev'],
    ...['', '/.ssh', '/.aws', '/.gnupg', '/.config', '/.local', '/.local/share', '/.cache', '/.codex'],
    ...['/.claude', '/.claude/projects/x', '/.gemini', '/.cursor', '/.config/opencode', '/.docker'],
    ...['/.config/github-copilot', '/.local/share/opencode', '/.kube', '/.config/gh'],
  ].map((path) => (path === '' || path.startsWith('/.') ? `${home}${path}` : path));
  for (const folder of refused) {
    it(`is not ${folder}`, () => expect(unnamedWorkspaceProblem(folder, home)).to.be.a('string'));
  }

  const accepted = [
    '/home/user/project',
    '/tmp/x',
    '/srv/app',
    '/var/www/site',
    '/var/lib/jenkins/workspace/a',
  ];
  const own = ['/home/user/.config/nvim', '/home/user/p/.claude/worktrees/a', '/usr/src/linux', '/opt/app'];
  for (const folder of [...accepted, ...own]) {
    it(`may be ${folder}`, () => expect(unnamedWorkspaceProblem(folder, home)).to.equal(undefined));
  }

  it('is looked at for secrets wherever one of their paths could match', () => {
    expect(SECRET_PATHS.filter(({ pattern }) => !MAY_BE_SECRET.test(pattern))).to.deep.equal([]);
  });
});
