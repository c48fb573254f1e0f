import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { FileTrustStore } from '../../../src/infrastructure/policy/file-trust-store.js';

describe('FileTrustStore', () => {
  let root: string;
  let state: string;
  let policy: string;
  let store: FileTrustStore;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'castellan-trust-'));
    state = join(root, 'state');
    policy = join(root, 'permissions.yaml');
    await writeFile(policy, 'version: 1\n');
    store = new FileTrustStore(state);
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const trusted = async (path: string, by = store) => {
    const answer = await by.isTrusted(path, await readFile(path));
    if (!answer.success) throw new Error(answer.error);
    return answer.value;
  };

  it('trusts nothing before it is told, then that file with that content only', async () => {
    expect(await trusted(policy)).to.equal(false);
    expect((await store.trust(policy)).success).to.equal(true);
    expect(await trusted(policy, new FileTrustStore(state))).to.equal(true);
    await writeFile(policy, 'version: 1\nextends: []\n');
    expect(await trusted(policy)).to.equal(false);
  });

  it('tells a file that changed from one that it never met, and trusts again what it trusted once', async () => {
    const standing = async () => {
      const answer = await store.standing(policy, await readFile(policy));
      return answer.success ? answer.value : answer.error;
    };
    expect(await standing()).to.equal('unknown');
    await store.trust(policy);
    await writeFile(policy, 'version: 1\nextends: []\n');
    expect(await standing()).to.equal('changed');
    await store.trust(policy);
    expect(await standing()).to.equal('trusted');
    await writeFile(policy, 'version: 1\n');
    expect(await standing()).to.equal('trusted');
    await writeFile(policy, 'version: 1\n# other\n');
    expect(await standing()).to.equal('changed');
  });

  it('does not trust the same content in another place, but the same file by another name', async () => {
    await store.trust(policy);
    const copy = join(root, 'copy.yaml');
    await writeFile(copy, await readFile(policy));
    expect(await trusted(copy)).to.equal(false);
    const link = join(root, 'link.yaml');
    await symlink(policy, link);
    expect(await trusted(link)).to.equal(true);
  });

  it('knows nothing of a file behind a link that leads nowhere, or to itself', async () => {
    const [lost, round] = [join(root, 'lost.yaml'), join(root, 'round.yaml')];
    await symlink(join(root, 'nothing.yaml'), lost);
    await symlink(round, round);
    for (const path of [lost, round]) {
      expect(await store.standing(path, Buffer.from('version: 1\n'))).to.include({ value: 'unknown' });
      expect(await store.knows(path)).to.include({ value: false });
    }
  });

  it('is an error when damaged, never an empty store, and is not overwritten', async () => {
    await store.trust(policy);
    for (const damage of ['', '{', '[]', '{"version":1,"files":{"/a":"x"}}', '{"version":2,"files":{}}']) {
      await writeFile(join(state, 'trust.json'), damage);
      const answer = await store.isTrusted(policy, await readFile(policy));
      expect(!answer.success && answer.errorType).to.equal('TrustStoreDamaged');
      expect((await store.trust(policy)).success).to.equal(false);
      expect(await readFile(join(state, 'trust.json'), 'utf8')).to.equal(damage);
    }
  });

  it('is an error when others can write it', async () => {
    await store.trust(policy);
    await chmod(join(state, 'trust.json'), 0o666);
    const answer = await store.isTrusted(policy, await readFile(policy));
    expect(!answer.success && answer.errorType).to.equal('TrustStoreDamaged');
  });

  it('keeps every entry when many are made at once, and leaves nothing else behind', async () => {
    const files = Array.from({ length: 30 }, (_, index) => join(root, `p${index}.yaml`));
    await Promise.all(files.map((file) => writeFile(file, file)));
    const results = await Promise.all(files.map((file) => new FileTrustStore(state).trust(file)));
    expect(results.every(({ success }) => success)).to.equal(true);
    for (const file of files) expect(await trusted(file)).to.equal(true);
    expect(await readdir(state)).to.deep.equal(['trust.json', 'trusted']);
  });

  it('trusts several files at once or none of them', async () => {
    expect((await store.trust(policy, join(root, 'none.yaml'))).success).to.equal(false);
    expect(await trusted(policy)).to.equal(false);
    const both = await store.trust(policy, policy);
    expect(both.success && both.value).to.have.length(2);
  });

  it('names the state folder, not the file, when it cannot keep what it was told', async () => {
    await mkdir(state, { recursive: true });
    await writeFile(join(state, 'trust.json.lock'), 'no lock of ours');
    const failed = await store.trust(policy);
    expect(!failed.success && failed.error)
      .to.contain(`The state folder ${state} cannot be written`)
      .and.not.contain('permissions.yaml');
  });

  it('is readable for its owner alone', async () => {
    await store.trust(policy);
    expect((await stat(join(state, 'trust.json'))).mode & 0o777).to.equal(0o600);
    expect((await stat(state)).mode & 0o777).to.equal(0o700);
  });

  it('says which file cannot be trusted: missing, a folder, too large', async () => {
    const missing = await store.trust(join(root, 'none.yaml'));
    expect(!missing.success && missing.error).to.include('none.yaml');
    await mkdir(join(root, 'folder'));
    expect((await store.trust(join(root, 'folder'))).success).to.equal(false);
    await writeFile(policy, 'x'.repeat(300_000));
    const large = await store.trust(policy);
    expect(!large.success && large.error).to.include('at most 262144 are read');
  });
});
