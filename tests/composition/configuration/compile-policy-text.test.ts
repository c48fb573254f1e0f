import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { compilePolicy, createCastellan, PolicySource } from '../../../src/index.js';

const TEXT = `extends: [builtin:readonly]
tools:
  read_file: { denied_paths: [private] }
tests:
  - { tool: read_file, args: { path: private/a }, expect: deny }
`;
const OBJECT = {
  extends: ['builtin:readonly'],
  tools: { read_file: { denied_paths: ['private'] } },
  tests: [{ tool: 'read_file', args: { path: 'private/a' }, expect: 'deny' }],
};

describe('compilePolicy', () => {
  let workspace: string;
  const options = () => ({
    workspace,
    environment: { PATH: process.env.PATH, HOME: join(workspace, 'home') },
    logLevel: 'silent' as const,
  });
  beforeEach(() => {
    workspace = mkdtempSync(join(tmpdir(), 'castellan-compile-'));
    writeFileSync(join(workspace, 'a.txt'), 'open');
    writeFileSync(join(workspace, 'private'), 'closed');
  });
  afterEach(() => rmSync(workspace, { recursive: true, force: true }));

  for (const [what, policy] of [
    ['a text', TEXT],
    ['an object', OBJECT],
  ] as const) {
    it(`makes a policy of ${what}, which a host puts in force`, async () => {
      const compiled = await compilePolicy(policy, options());
      if (!compiled.success) throw new Error(compiled.error.message);
      const snapshot = compiled.value;
      const castellan = await createCastellan({
        ...options(),
        configure: (container) =>
          container
            .rebind(PolicySource)
            .toConstantValue({ current: () => snapshot, onChange: () => () => undefined }),
      });
      const read = (path: string) => castellan.execute('read_file', { path });
      expect((await read('a.txt')).success).to.equal(true);
      expect((await read('private')).success).to.equal(false);
      expect((await castellan.execute('write_file', { path: 'b', content: '' })).success).to.equal(false);
      await castellan.close();
      expect(readFileSync(join(workspace, 'private'), 'utf8')).to.equal('closed');
    });
  }

  const problemsOf = async (policy: string | object): Promise<string> => {
    const compiled = await compilePolicy(policy, options());
    return compiled.success ? '' : compiled.error.message;
  };

  it('tells every mistake with its place, and holds the policy to its own tests', async () => {
    expect(await problemsOf('toolz: {}\n')).to.match(/policy:1:1: .*toolz/);
    expect(await problemsOf('extends: [builtin:workspac]\n')).to.include('builtin:workspace');
    const wrong = { ...OBJECT, tests: [{ tool: 'read_file', args: { path: 'private/a' }, expect: 'allow' }] };
    expect(await problemsOf(wrong)).to.include('private/a');
    expect(await problemsOf(`# ${'x'.repeat(300_000)}`)).to.include('256 KiB');
  });

  it('refuses principals with workspaces of their own: its paths are those of one', async () => {
    const principals = [{ match: { transport: ['http'] }, roles: ['default'], workspace: './teams/${id}' }];
    expect(await problemsOf({ principals })).to.include('one workspace');
  });
});
