import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { CliWorkspace } from '../support/cli-workspace.js';
import { SEED_POLICY } from '../support/policy-bench.js';

describe('the command line about the policy', () => {
  let project: CliWorkspace;

  beforeEach(() => {
    project = new CliWorkspace();
  });

  afterEach(() => project.remove());

  /** The decisions of seed.yaml, a word or two each. */
  async function verdicts(calls: readonly (readonly [string, object])[]): Promise<readonly string[]> {
    const explained = await project.explain(calls, { policy: project.write('seed.yaml', SEED_POLICY) });
    return explained.map(({ effect, reason }) => (reason === undefined ? effect : `${effect} ${reason}`));
  }

  describe('init', () => {
    for (const profile of ['readonly', 'workspace']) {
      it(`writes both files for ${profile}, trusted, completed by an editor, without a doubtful rule`, async () => {
        const made = await project.run(['init', '--profile', profile]);
        expect(made.code, made.stderr).to.equal(0);
        expect(made.stdout).to.contain('mcpServers').and.contain('claude mcp add');
        for (const file of ['permissions.yaml', 'castellan.yaml']) {
          expect(readFileSync(project.path(file), 'utf8')).to.match(
            /^# yaml-language-server: \$schema=\S+json/,
          );
        }
        const checked = await project.run(['policy', 'check']);
        expect(checked, checked.stderr).to.include({ code: 0, stderr: '' });
        expect(checked.stdout).to.contain(`builtin:${profile}`).and.not.contain('not trusted');
      });
    }

    it('refuses to overwrite anything, unless it is forced to', async () => {
      project.write('castellan.yaml', 'tool_prefix: mine\n');
      const refused = await project.run(['init']);
      expect(refused.code).to.equal(1);
      expect(refused.stderr).to.contain('castellan.yaml is there already').and.contain('--force');
      expect(readFileSync(project.path('castellan.yaml'), 'utf8')).to.equal('tool_prefix: mine\n');
      expect((await project.run(['policy', 'check'])).stdout, 'no half of it').to.contain('builtin:baseline');
      expect((await project.run(['init', '--force'])).code).to.equal(0);
      expect((await project.run(['policy', 'check'])).stdout).to.contain('builtin:workspace');
    });

    it('replaces a link instead of writing through it', async () => {
      const victim = project.write('victim.txt', 'precious');
      symlinkSync(victim, project.path('permissions.yaml'));
      expect((await project.run(['init', '--force'])).code).to.equal(0);
      expect(readFileSync(victim, 'utf8')).to.equal('precious');
      expect(lstatSync(project.path('permissions.yaml')).isSymbolicLink()).to.equal(false);
    });

    it('leaves nothing behind when what it writes cannot be trusted, and says what to do', async () => {
      writeFileSync(dirname(project.state), 'no folder');
      const failed = await project.run(['init']);
      expect(failed).to.include({ code: 3, stdout: '' });
      expect(failed.stderr).to.contain('Nothing was written: The state folder').and.contain('XDG_STATE_HOME');
      expect(readdirSync(project.folder)).to.deep.equal([]);
    });

    it('leaves what was there, and trusted, when it is forced and fails', async () => {
      project.write('permissions.yaml', 'tools: {}\n');
      symlinkSync('elsewhere.yaml', project.path('castellan.yaml'));
      mkdirSync(join(project.state, 'trust.json'), { recursive: true });
      const failed = await project.run(['init', '--force']);
      expect(failed).to.include({ code: 3, stdout: '' });
      expect(failed.stderr).to.contain('Nothing was written');
      expect(readFileSync(project.path('permissions.yaml'), 'utf8')).to.equal('tools: {}\n');
      expect(readlinkSync(project.path('castellan.yaml'))).to.equal('elsewhere.yaml');
      expect(readdirSync(project.folder)).to.have.members(['castellan.yaml', 'permissions.yaml']);
    });

    it('leaves nothing behind when the second file cannot be written', async () => {
      mkdirSync(project.path('castellan.yaml'));
      const failed = await project.run(['init', '--force']);
      expect(failed).to.include({ code: 3, stdout: '' });
      expect(failed.stderr).to.contain('Nothing was written').and.contain('castellan.yaml cannot be written');
      expect(readdirSync(project.folder)).to.deep.equal(['castellan.yaml']);
    });

    it('ends with 2 for a profile that does not exist', async () => {
      expect((await project.run(['init', '--profile', 'all'])).code).to.equal(2);
    });
  });

  describe('policy check', () => {
    it('ends with 3 for a bad file and tells every problem with its place and the fix', async () => {
      project.write('bad.yaml', 'tools:\n  read_file: { allowed_path: [.] }\n  echo: { enabeld: true }\n');
      const { code, stdout, stderr } = await project.run(['policy', 'check', 'bad.yaml']);
      expect({ code, stdout }).to.deep.equal({ code: 3, stdout: '' });
      expect(stderr).to.contain('bad.yaml:2:16: Unknown key "allowed_path". Did you mean allowed_paths?');
      expect(stderr).to.contain('bad.yaml:3:11: ').and.contain('2 problems');
    });

    it('ends with 1 for rules that load but are doubtful', async () => {
      project.write('wide.yaml', 'tools:\n  execute_command: { allowed_commands: ["*"] }\n');
      const { code, stdout, stderr } = await project.run(['policy', 'check', 'wide.yaml']);
      expect(code).to.equal(1);
      expect(stderr).to.contain('wide.yaml:2:').and.contain('execute_command may run any program.');
      expect(stdout).to.contain('may run any code inside the sandbox');
    });

    it('says in words what is really granted', async () => {
      project.write(
        'build.yaml',
        'tools:\n  write_file: { allowed_paths: [.] }\n  execute_command: { allowed_commands: [{ command: [npm, run, test] }] }\n',
      );
      const { stdout } = await project.run(['policy', 'check', 'build.yaml']);
      expect(stdout).to.contain('npm run test executes package.json, which write_file may change');
      expect(stdout).to.contain('\nWhat it grants and refuses:\n');
    });

    it('says of a file that was found and not trusted that it only narrows', async () => {
      project.write('permissions.yaml', SEED_POLICY);
      expect((await project.run(['policy', 'check'])).stdout)
        .to.contain('only narrow builtin:baseline')
        .and.contain('\nWhat it would grant and refuse:\n');
    });

    it('checks the shipped policy without a word of doubt', async () => {
      const { code, stderr } = await project.run([
        'policy',
        'check',
        `${process.cwd()}/config/permissions.yaml`,
      ]);
      expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    });
  });

  describe('policy explain', () => {
    it("S4-24: takes the seed's policy unchanged and decides about paths as it says", async () => {
      const paths = ['./output/a', '/tmp/a', '/etc/a'];
      const decided = await verdicts(paths.map((path) => ['write_file', { path }]));
      expect(decided).to.deep.equal(['allow', 'allow', 'deny DENIED_PATH']);
    });

    it('S4-23: decides about its commands as it says', async () => {
      const expected = {
        'ls | grep x': 'allow',
        'ls *.ts': 'allow',
        'rm x': 'deny DENIED_COMMAND',
        '/bin/rm x': 'deny DENIED_COMMAND',
        'ls; rm x': 'deny DENIED_COMMAND',
        'env rm x': 'deny DENIED_COMMAND',
        'find . -delete': 'deny HAZARDOUS_ARGUMENT',
        'ls $(id)': 'deny SHELL_SYNTAX',
      };
      const commands = Object.keys(expected);
      const decided = await verdicts(commands.map((command) => ['execute_command', { command }]));
      expect(Object.fromEntries(commands.map((command, index) => [command, decided[index]]))).to.deep.equal(
        expected,
      );
    });

    it('names file and line of the deciding rule, for an allow and for every kind of deny', async () => {
      project.write(
        'permissions.yaml',
        [
          'tools:', // 1
          '  write_file:', // 2
          '    allowed_paths: [out]', // 3
          '    denied_paths: [out/private]', // 4
          '    arguments: { mode: { const: create } }', // 5
          '  execute_command:', // 6
          '    allowed_commands: [ls, find]', // 7
          '    denied_commands: [rm]', // 8
          '  echo: { consent: ask }', // 9
          '  system_info: { enabled: false }', // 10
          'principals: [{ match: { transport: [stdio] }, roles: [some] }]', // 11
          'roles: { some: { tools: [write_file, execute_command, echo, system_info, read_file] } }', // 12
        ].join('\n'),
      );
      const writing = { mode: 'create' };
      const asked: readonly [string, string, object, RegExp][] = [
        ['allow', 'write_file', { ...writing, path: 'out/a' }, /permissions\.yaml:3:21$/],
        ['allow', 'execute_command', { command: 'ls' }, /permissions\.yaml:7:24$/],
        ['deny DENIED_PATH', 'write_file', { ...writing, path: 'out/private/a' }, /permissions\.yaml:4:20$/],
        ['deny NO_ALLOW', 'write_file', { ...writing, path: 'src/a' }, /permissions\.yaml:3:5$/],
        ['deny ARGUMENT', 'write_file', { mode: 'append', path: 'out/a' }, /permissions\.yaml:5:\d+$/],
        ['deny DENIED_COMMAND', 'execute_command', { command: 'ls; rm x' }, /permissions\.yaml:8:23$/],
        [
          'deny HAZARDOUS_ARGUMENT',
          'execute_command',
          { command: 'find . -delete' },
          /permissions\.yaml:\d+:\d+$/,
        ],
        ['deny SHELL_SYNTAX', 'execute_command', { command: 'ls $HOME' }, /permissions\.yaml:7:5$/],
        ['deny UNPARSEABLE', 'write_file', { ...writing, path: 'a\0b' }, /permissions\.yaml:3:5$/],
        ['deny NO_ALLOW', 'delete_path', { path: 'a' }, /permissions\.yaml:1:1$/],
        ['deny UNKNOWN_TOOL', 'format_disk', {}, /permissions\.yaml:1:1$/],
        ['consent CONSENT_REQUIRED', 'echo', {}, /permissions\.yaml:9:\d+$/],
        ['deny DISABLED', 'system_info', {}, /permissions\.yaml:10:\d+$/],
        ['deny ROLE', 'file_info', { path: 'a' }, /:\d+:\d+$/],
        ['deny PROTECTED', 'read_file', { path: '.env' }, /^builtin:secrets:\d+:1$/],
      ];
      const explained = await project.explain(
        asked.map(([, tool, args]) => [tool, args]),
        { policy: project.path('permissions.yaml') },
      );
      for (const [index, [wanted, tool, , place]] of asked.entries()) {
        const { effect, reason, rule, steps = [] } = explained[index] ?? {};
        expect([effect, reason].filter(Boolean).join(' '), tool).to.equal(wanted);
        expect(rule, `${tool} ${wanted}`).to.match(place);
        expect(steps.length, wanted).to.be.at.least(1);
      }
    });

    it('shows decision, rule and each step to a person', async () => {
      const { stdout } = await project.run(['policy', 'explain', 'read_file', '{"path":"README.md"}']);
      expect(stdout)
        .to.match(/^decision +allow$/m)
        .and.match(/^rule +builtin:baseline:1:1$|^rule +builtin:/m);
      for (const step of ['tool', 'roles', 'canonical', 'built-in', 'denies', 'allows', 'consent']) {
        expect(stdout).to.match(new RegExp(`^${step} +passed`, 'm'));
      }
    });

    it('reads the arguments from standard input, and ends with 2 when they are no object', async () => {
      const piped = await project.run(['policy', 'explain', 'echo', '-'], { input: '{}' });
      expect(piped.stdout).to.contain('allow');
      expect((await project.run(['policy', 'explain', 'echo', '[]'])).code).to.equal(2);
    });
  });

  it('takes the global options before and after a command', async () => {
    project.write('elsewhere/tight.yaml', 'extends: []\ntools: { echo: {} }\n');
    const args = ['--policy', 'elsewhere/tight.yaml'];
    for (const line of [
      [...args, 'policy', 'check'],
      ['policy', 'check', ...args],
    ]) {
      expect((await project.run(line)).stdout, line.join(' ')).to.contain('elsewhere/tight.yaml');
    }
    const { code, stderr } = await project.run(['tools', '--workspace', 'gone']);
    expect({ code, stderr }).to.deep.equal({
      code: 3,
      stderr: `The workspace ${project.path('gone')} does not exist. Name a folder that does.\n`,
    });
  });
});
