import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadPolicy, type PolicyRequest } from '../../../src/infrastructure/policy/load-policy.js';
import { readPolicyFile, YamlPolicySource } from '../../../src/infrastructure/policy/yaml-policy-source.js';
import { bench, decide, surroundings, verdict } from '../../support/policy-bench.js';

const ME = process.getuid?.() ?? 0;

describe('files above and below the policy', () => {
  let folder = '';
  const at = (name: string): string => join(folder, name);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'castellan-layers-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  function request(more: Partial<PolicyRequest> = {}): PolicyRequest {
    return {
      trusted: true,
      // The workspace is made up here: what lies outside of it is read only where the user accepted it once.
      known: async () => true,
      surroundings,
      systemCeiling: { path: at('ceiling.yaml'), owners: [ME] },
      userPolicy: { path: at('user.yaml'), owners: [ME] },
      ...more,
    };
  }

  async function load(more: Partial<PolicyRequest> = {}) {
    const loaded = await loadPolicy(request(more), bench, readPolicyFile);
    if (!loaded.success) throw new Error(loaded.error.message);
    return loaded.value;
  }

  async function refusalOf(more: Partial<PolicyRequest> = {}): Promise<string> {
    const loaded = await loadPolicy(request(more), bench, readPolicyFile);
    return loaded.success ? 'loaded' : loaded.error.message;
  }

  async function write(name: string, text: string): Promise<string> {
    await writeFile(at(name), text, { mode: 0o644 });
    return at(name);
  }

  const writing = async (path: string, more: Partial<PolicyRequest> = {}): Promise<string> =>
    verdict(decide((await load(more)).snapshot.policy, 'write_file', { path }));

  describe('the ceiling of the machine', () => {
    it('always narrows, together with one that is named', async () => {
      const file = await write('p.yaml', 'tools: { write_file: { allowed_paths: [a, b, c] } }');
      await write('ceiling.yaml', 'tools: { write_file: { allowed_paths: [a, b] } }');
      const ceiling = await write('named.yaml', 'tools: { write_file: { allowed_paths: [b, c] } }');
      expect(await writing('a/x', { file })).to.equal('allow');
      expect(await writing('c/x', { file })).to.equal('deny NO_ALLOW');
      expect(await writing('a/x', { file, ceiling })).to.equal('deny NO_ALLOW');
      expect(await writing('b/x', { file, ceiling })).to.equal('allow');
      const { snapshot } = await load({ file });
      expect(snapshot.origin).to.include(at('ceiling.yaml'));
      expect(decide(snapshot.policy, 'write_file', { path: 'c/x' }).rule?.file).to.equal(at('ceiling.yaml'));
    });

    it('refuses the start where others can write it, where it is another user’s, and where it is invalid', async () => {
      await write('ceiling.yaml', 'extends: [builtin:workspace]');
      await chmod(at('ceiling.yaml'), 0o664);
      expect(await refusalOf()).to.match(/ceiling\.yaml:1:1: This file always counts, so it must belong to/);
      await chmod(at('ceiling.yaml'), 0o644);
      const strange = { path: at('ceiling.yaml'), owners: [ME + 1] };
      expect(await refusalOf({ systemCeiling: strange })).to.match(/must belong to root/);
      await write('ceiling.yaml', 'tols: {}');
      expect(await refusalOf()).to.match(/ceiling\.yaml:1:1: Unknown key "tols"/);
    });

    it('is nothing where it does not exist', async () => {
      expect((await load()).snapshot.origin).to.deep.equal(['builtin:baseline']);
    });
  });

  describe("the user's own policy", () => {
    const USER = 'tools: { write_file: { allowed_paths: [mine] } }';

    it('is in force where the project has none', async () => {
      await write('user.yaml', USER);
      expect(await writing('mine/x')).to.equal('allow');
      expect((await load()).snapshot.origin).to.deep.equal([at('user.yaml'), 'builtin:baseline']);
    });

    it('is what a file extends that does not say, and not what one does that says', async () => {
      await write('user.yaml', USER);
      const silent = await write('p.yaml', 'tools: { write_file: { denied_paths: [mine/no] } }');
      expect(await writing('mine/x', { file: silent })).to.equal('allow');
      expect(await writing('mine/no/x', { file: silent })).to.equal('deny DENIED_PATH');
      const explicit = await write('q.yaml', 'extends: [builtin:baseline]');
      expect(await writing('mine/x', { file: explicit })).to.equal('deny NO_ALLOW');
    });

    it('is all that a file can narrow which was only found', async () => {
      await write('user.yaml', USER);
      const file = await write(
        'p.yaml',
        'extends: []\ntools: { write_file: { allowed_paths: [mine/a, other] } }',
      );
      const found = { file, trusted: async () => false };
      expect(await writing('mine/a/x', found)).to.equal('allow');
      expect(await writing('mine/b', found)).to.equal('deny NO_ALLOW');
      expect(await writing('other/x', found)).to.equal('deny NO_ALLOW');
    });

    it('needs no trust, and refuses the start where others can write it or it is invalid', async () => {
      await write('user.yaml', USER);
      const file = await write('p.yaml', 'tools: { echo: {} }');
      const asked: string[] = [];
      const trusted = async (name: string) => asked.push(name) > 0;
      expect(await writing('mine/x', { file, trusted })).to.equal('allow');
      expect(asked).to.deep.equal([file]);
      await chmod(at('user.yaml'), 0o666);
      expect(await refusalOf({ file })).to.match(/user\.yaml:1:1: This file always counts/);
      await write('user.yaml', 'tols: {}');
      await chmod(at('user.yaml'), 0o644);
      expect(await refusalOf()).to.match(/user\.yaml:1:1: Unknown key/);
    });
  });

  describe('a named file that commands can write', () => {
    const WRITABLE = 'extends: [builtin:workspace]\n';
    const WIDER = `${WRITABLE}tools: { delete_path: { consent: never } }\n`;
    let approved: readonly string[] = [];
    let source: YamlPolicySource | undefined;

    async function open(first: string, more: Partial<PolicyRequest> = {}): Promise<YamlPolicySource> {
      const file = await write('p.yaml', first);
      approved = [];
      const opened = await YamlPolicySource.open(
        {
          ...request({ file, surroundings: { ...surroundings, workspace: folder } }),
          approves: async (_file, bytes) => approved.includes(new TextDecoder().decode(bytes)),
          ...more,
        },
        bench,
      );
      if (!opened.success) throw new Error(opened.error.message);
      source = opened.value;
      return opened.value;
    }

    afterEach(async () => {
      await source?.close();
      source = undefined;
    });

    it('is taken up after it was trusted; until then the version before holds and every refusal says so', async () => {
      const opened = await open(WRITABLE);
      await write('p.yaml', `${WRITABLE}tools: { echo: { enabled: false } }\n`);
      const held = await opened.reload();
      expect(held.notice).to.match(/p\.yaml changed since it was loaded.*castellan trust p\.yaml/);
      expect(decide(held.policy, 'echo', {}).effect).to.equal('allow');
      const refused = decide(held.policy, 'write_file', { path: '/etc/x' });
      expect(refused.effect === 'deny' && refused.hint).to.include('castellan trust p.yaml');
      const admission = held.policy.admission({ transport: 'stdio', id: 'x' }, 'claude_conversation');
      expect(admission?.hint).to.include('castellan trust p.yaml');
      approved = [`${WRITABLE}tools: { echo: { enabled: false } }\n`];
      const taken = await opened.reload();
      expect(taken.notice).to.equal(undefined);
      expect(verdict(decide(taken.policy, 'echo', {}))).to.equal('deny DISABLED');
    });

    it('needs no trust to become again what it was', async () => {
      const opened = await open(WRITABLE);
      await write('p.yaml', `${WRITABLE}# another\n`);
      expect((await opened.reload()).notice).to.be.a('string');
      await write('p.yaml', WRITABLE);
      expect((await opened.reload()).notice).to.equal(undefined);
    });

    it('holds back a change of a file that it extends, and of a ceiling', async () => {
      await write('base.yaml', WRITABLE);
      const ceiling = await write('named.yaml', WRITABLE);
      const opened = await open('extends: [./base.yaml]\n', { ceiling });
      await write('base.yaml', WIDER);
      expect((await opened.reload()).notice).to.include('base.yaml');
      await write('base.yaml', WRITABLE);
      await write('named.yaml', WIDER);
      expect((await opened.reload()).notice).to.include('named.yaml');
    });

    it('is taken up at once where commands cannot write it', async () => {
      const opened = await open('tools: { execute_command: { allowed_commands: [ls] } }\n');
      await write('p.yaml', 'tools: { echo: { enabled: false } }\n');
      expect((await opened.reload()).notice).to.equal(undefined);
      expect(verdict(decide(opened.current().policy, 'echo', {}))).to.equal('deny DISABLED');
    });
  });

  it('a found file that changed since it was trusted narrows, and every refusal says so', async () => {
    const file = await write('p.yaml', 'tools: { write_file: { allowed_paths: [a] } }');
    const { snapshot } = await load({ file, trusted: async () => 'changed' });
    expect(snapshot.notice).to.match(/changed since it was trusted/);
    const refused = decide(snapshot.policy, 'write_file', { path: 'a/x' });
    expect(refused.effect === 'deny' && refused.hint).to.include('changed since it was trusted');
  });
});
