import { expect } from 'chai';
import type { PermissionPolicy } from '../../../../src/domain/permission/policy/permission-policy.js';
import { decide, load, loadFiles, policyOf, problemsOf, verdict } from '../../../support/policy-bench.js';

const WRITERS: readonly [string, (path: string) => Record<string, unknown>][] = [
  ['write_file', (path) => ({ path, content: '' })],
  ['edit_file', (path) => ({ path })],
  ['create_directory', (path) => ({ path })],
  ['delete_path', (path) => ({ path })],
  ['move_path', (path) => ({ source: 'output/a', destination: path })],
  ['move_path', (path) => ({ source: path, destination: 'output/a' })],
  ['copy_path', (path) => ({ source: 'src/a', destination: path })],
  ['execute_command', (path) => ({ command: `echo x > ${path}` })],
  ['execute_command', (path) => ({ command: `tee ${path}` })],
  ['execute_command', (path) => ({ command: 'ls', save_output: path })],
];

const READERS: readonly [string, (path: string) => Record<string, unknown>][] = [
  ['read_file', (path) => ({ path })],
  ['read_files', (path) => ({ paths: [path] })],
  ['list_directory', (path) => ({ path })],
  ['search_files', (path) => ({ path })],
  ['search_content', (path) => ({ path })],
  ['file_info', (path) => ({ path })],
  ['copy_path', (path) => ({ source: path, destination: 'out/x' })],
  ['edit_file', (path) => ({ path })],
  ['execute_command', (path) => ({ command: `cat ${path}` })],
  ['execute_command', (path) => ({ command: `wc < ${path}` })],
];

function sandboxOf(policy: PermissionPolicy, command: string) {
  const decision = decide(policy, 'execute_command', { command });
  if (decision.effect === 'deny') throw new Error(decision.message);
  return decision.obligations.sandbox;
}

describe('files.write', () => {
  const YAML = 'extends: [builtin:workspace]\ntools: { files.write: { allowed_paths: [./output] } }';

  for (const [tool, args] of WRITERS) {
    it(`binds ${tool} ${JSON.stringify(args('PATH'))}`, async () => {
      const policy = await policyOf(YAML);
      expect(verdict(decide(policy, tool, args('src/a')))).to.equal('deny NO_ALLOW');
      expect(verdict(decide(policy, tool, args('output/b')))).to.be.oneOf(['allow', 'ask']);
    });
  }

  it('narrows what the sandbox of commands can write, and nothing of what it can read', async () => {
    const sandbox = sandboxOf(await policyOf(YAML), 'make');
    expect(sandbox?.write).to.deep.equal(['/workspace/output']);
    expect(sandbox?.read).to.include('/workspace');
  });

  it('leaves the scratch folder and the null device alone', async () => {
    const policy = await policyOf(YAML);
    for (const command of ['ls > /dev/null 2>&1', 'ls > /tmp/a', 'cat /etc/passwd']) {
      expect(verdict(decide(policy, 'execute_command', { command })), command).to.equal('allow');
    }
  });

  it('grants nothing by itself', async () => {
    const policy = await policyOf('tools: { files.write: { allowed_paths: [./output] } }');
    expect(verdict(decide(policy, 'write_file', { path: 'output/a' }))).to.equal('deny NO_ALLOW');
  });

  it('denies what it denies to every tool, and is named as the rule that decides', async () => {
    const policy = await policyOf(
      'extends: [builtin:workspace]\ntools: { files.write: { denied_paths: [vendor] } }',
    );
    for (const [tool, args] of WRITERS) {
      const decision = decide(policy, tool, args('vendor/x'));
      expect(verdict(decision), tool).to.equal('deny DENIED_PATH');
      expect(decision.rule, tool).to.include({ file: '/policy.yaml', line: 2 });
    }
    const beyond = decide(await policyOf(YAML), 'edit_file', { path: 'src/a' });
    expect(beyond.rule).to.include({ file: '/policy.yaml', line: 2, column: 23 });
  });

  it('binds the views that guards and libraries ask', async () => {
    const policy = await policyOf(YAML);
    expect(policy.viewFor('edit_file').canWrite('/workspace/src/a')).to.equal(false);
    expect(policy.viewFor('edit_file').canWrite('/workspace/output/a')).to.equal(true);
    expect(policy.preserves('/workspace/docs/a.md')).to.equal(true);
    expect(policy.preserves('/workspace/output/a.md')).to.equal(false);
  });

  it('of a ceiling binds as well', async () => {
    const loaded = await loadFiles(
      {
        '/policy.yaml': 'extends: [builtin:workspace]',
        '/ceiling.yaml': YAML,
      },
      { ceiling: '/ceiling.yaml' },
    );
    if (!loaded.success) throw new Error(loaded.error.message);
    const { policy } = loaded.value.snapshot;
    expect(verdict(decide(policy, 'edit_file', { path: 'src/a' }))).to.equal('deny NO_ALLOW');
    expect(sandboxOf(policy, 'make')?.write).to.deep.equal(['/workspace/output']);
  });
});

describe('files.read', () => {
  const YAML = 'extends: [builtin:workspace]\ntools: { files.read: { allowed_paths: [src, out] } }';

  for (const [tool, args] of READERS) {
    it(`binds ${tool} ${JSON.stringify(args('PATH'))}`, async () => {
      const policy = await policyOf(YAML);
      expect(verdict(decide(policy, tool, args('private/a')))).to.equal('deny NO_ALLOW');
      expect(verdict(decide(policy, tool, args('src/a')))).to.equal('allow');
    });
  }

  it('narrows the view of commands, what they can write included', async () => {
    const sandbox = sandboxOf(await policyOf(YAML), 'make');
    expect(sandbox?.read).to.deep.equal(['/workspace/src', '/workspace/out']);
    expect(sandbox?.write).to.deep.equal(['/workspace/src', '/workspace/out']);
  });

  it('hides documents, but no folder on the way to what may be read', async () => {
    const policy = await policyOf('tools: { files.read: { allowed_paths: [docs/adr] } }');
    expect(policy.hides('/workspace/docs')).to.equal(false);
    expect(policy.hides('/workspace/docs/adr/0001.md')).to.equal(false);
    expect(policy.hides('/workspace/docs/secret.md')).to.equal(true);
    const readable = policy.viewFor('list_directory').readableIn('/workspace/docs');
    expect([readable('adr'), readable('secret.md')]).to.deep.equal([true, false]);
  });
});

describe('a group', () => {
  const rows: readonly [string, string, RegExp][] = [
    [
      'with keys of a tool',
      'tools: { files.write: { allowed_paths: [a], timeout: 5 } }',
      /limits would have no effect/,
    ],
    ['that says nothing', 'tools: { files.read: {} }', /files\.read says nothing/],
    [
      'that would ask',
      'tools: { files.write: { allowed_paths: [{ path: a, consent: ask }] } }',
      /grants nothing, so consent .* no effect/,
    ],
  ];
  for (const [name, yaml, wanted] of rows) {
    it(`${name} is refused`, async () => {
      expect((await problemsOf(yaml)).join('\n')).to.match(wanted);
    });
  }

  const NARROW = 'extends: [builtin:workspace]\ntools: { write_file: { allowed_paths: [./output] } }';

  it('is recommended where write_file alone is narrowed, and then nothing is left to say', async () => {
    const { snapshot } = await load(NARROW);
    const lint = snapshot.warnings.find(({ message }) => message.includes('narrower'));
    expect(lint?.message).to.match(
      /write_file is narrower than copy_path, .*edit_file, execute_command \(the sandbox workspace\)/,
    );
    const entry = /Write (files\.write: \{.*?\})/.exec(lint?.hint ?? '')?.[1];
    const fixed = await load(NARROW.replace('tools: {', `tools: { ${entry},`));
    expect(fixed.snapshot.warnings.filter(({ message }) => message.includes('narrower'))).to.deep.equal([]);
    expect(verdict(decide(fixed.snapshot.policy, 'edit_file', { path: 'src/a' }))).to.equal('deny NO_ALLOW');
  });
});
