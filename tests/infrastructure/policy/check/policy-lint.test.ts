import { expect } from 'chai';
import { load, powerOf, SEED_POLICY } from '../../../support/policy-bench.js';

async function warnings(yaml: string): Promise<readonly string[]> {
  const { snapshot } = await load(yaml);
  return snapshot.warnings.map(({ line, column, message, hint }) =>
    `${line}:${column} ${message} ${hint ?? ''}`.trim(),
  );
}

describe('policy lint', () => {
  const rows: readonly [string, string, RegExp][] = [
    [
      'a star among commands',
      'tools: { execute_command: { allowed_commands: ["*"] } }',
      /1:48 .*may run any program/,
    ],
    [
      'a star among paths',
      'tools: { read_file: { allowed_paths: ["*"] } }',
      /1:39 .*every path of the machine/,
    ],
    [
      'variables by which a caller chooses code',
      'tools: { execute_command: { allowed_commands: [ls], env: { accept: [LD_PRELOAD, CI, GIT_DIR] } } }',
      /env\.accept of execute_command: LD_PRELOAD, GIT_DIR decides what code/,
    ],
    [
      'variables that choose code for every command',
      'tools: { execute_command: { allowed_commands: [ls], env: { pass: [PYTHONPATH], set: { BASH_ENV: x, TZ: UTC } } } }',
      /env of execute_command: PYTHONPATH, BASH_ENV decides what code every command runs/,
    ],
    ['the root', 'tools: { write_file: { allowed_paths: [/] } }', /1:40 .*every path of the machine/],
    ['a home folder', 'tools: { write_file: { allowed_paths: [~] } }', /home folder/],
    [
      'a read_file narrower than its siblings',
      'tools: { read_file: { allowed_paths: [src] } }',
      /read_file is narrower than read_files, list_directory.* denied_paths, which bind them all/,
    ],
    [
      'an interpreter that its rule refuses',
      'tools: { execute_command: { allowed_commands: [python3] } }',
      /python3 can run any code, so this rule does not allow it.*interpreter: true/,
    ],
    [
      'an interpreter that is meant',
      'tools: { execute_command: { allowed_commands: [{ command: node, interpreter: true }] } }',
      /node runs any code it is given/,
    ],
    [
      'a program of which some subcommands run others',
      'tools: { execute_command: { allowed_commands: [npm] } }',
      /npm exec, x, explore.* can run any program, so this rule refuses them.*command: \[npm, …\]/,
    ],
    [
      'a program that runs another one',
      'tools: { execute_command: { allowed_commands: [strace] } }',
      /strace can run any code, so this rule does not allow it.*interpreter: true/,
    ],
    [
      'a builtin of the shell',
      'tools: { execute_command: { allowed_commands: [ls, cd] } }',
      /cd is a builtin of the shell: this rule has no effect/,
    ],
    [
      'a deny-only list',
      'tools: { write_file: { denied_paths: [a] } }',
      /1:22 write_file has no allowed_paths, so it is refused always/,
    ],
    [
      'an unknown tool',
      'tools: { raed_file: {} }',
      /1:21 No tool is called raed_file\. Did you mean read_file\?/,
    ],
    [
      'a path that is denied as well',
      'tools: { write_file: { allowed_paths: [a/b], denied_paths: [a] } }',
      /never allows anything: line 1 denies the same/,
    ],
    [
      'a program that is denied as well',
      'tools: { execute_command: { allowed_commands: [rm, ls], denied_commands: [rm] } }',
      /1:48 This rule never allows anything/,
    ],
    [
      "one of the server's own files",
      'tools: { read_file: { allowed_paths: [".", permissions.yaml] } }',
      /1:44 This is the server's own, which no rule opens/,
    ],
    [
      'no sandbox',
      'tools: { execute_command: { allowed_commands: [ls], sandbox: none } }',
      /1:62 Commands run without a sandbox/,
    ],
    [
      'an audit of nothing',
      'audit: { required_for: [wirte_file] }\ntools: { write_file: { allowed_paths: [a] } }',
      /1:25 .*not a tool.*Did you mean write_file/,
    ],
  ];
  for (const [name, yaml, wanted] of rows) {
    it(`warns of ${name}`, async () => {
      const found = await warnings(yaml.replace('[~]', '["~"]'));
      expect(found, found.join('\n')).to.have.length(1);
      expect(found[0]).to.match(wanted);
    });
  }

  it("has nothing to say about the seed's policy", async () => {
    expect(await warnings(SEED_POLICY)).to.deep.equal([]);
  });
});

describe('the power a policy grants', () => {
  it('says that a build tool runs whatever a writable file says', async () => {
    const loaded = await load(`
extends: [builtin:workspace]
tools: { execute_command: { allowed_commands: [npm run test, ls] } }`);
    const words = powerOf(loaded).join('\n');
    expect(words).to.match(
      /may run any code inside the sandbox workspace .*: npm run test executes package\.json, which write_file may change/,
    );
    expect(words).to.match(/may change the whole workspace \(without secrets\) \[write_file/);
  });

  it('says which models may be asked and what they may cost', async () => {
    const loaded = await load(`
tools:
  claude_conversation: { allowed_models: [claude-haiku-*], tokens: { limit: 5000/h } }`);
    expect(powerOf(loaded)).to.include(
      'may ask the models claude-haiku-* (claude_conversation), for at most 5000 tokens in 3600s',
    );
    const any = await load('tools: { claude_conversation: {} }');
    expect(powerOf(any)).to.include('may ask any model (claude_conversation), without a limit of tokens');
  });

  it('says it when there is no sandbox, and when secrets are named', async () => {
    const loaded = await load(`
tools:
  execute_command: { allowed_commands: ["*"], sandbox: none }
  read_file: { allowed_paths: [".", .env] }`);
    const words = powerOf(loaded).join('\n');
    expect(words).to.match(/may run any code without a sandbox/);
    expect(words).to.match(/may read \.\/\.env, a secret that the policy names \[read_file\]/);
  });
});
