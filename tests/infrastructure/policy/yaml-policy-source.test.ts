import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { PolicySnapshot } from '../../../src/application/ports/permission/policy-source.js';
import { YamlPolicySource } from '../../../src/infrastructure/policy/yaml-policy-source.js';
import { bench, decide, surroundings, verdict } from '../../support/policy-bench.js';

const GOOD = 'tools: { write_file: { allowed_paths: [out] } }';
const OTHER = 'tools: { write_file: { allowed_paths: [src] } }';
const BAD = 'tools:\n  write_file: { allowed_path: [src] }';

describe('YamlPolicySource', () => {
  let folder = '';
  let file = '';
  let source: YamlPolicySource | undefined;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'castellan-policy-'));
    file = join(folder, 'permissions.yaml');
  });

  afterEach(async () => {
    await source?.close();
    source = undefined;
    await rm(folder, { recursive: true });
  });

  async function start(content: string): Promise<YamlPolicySource> {
    await writeFile(file, content);
    const opened = await YamlPolicySource.open({ file, trusted: true, surroundings }, bench);
    if (!opened.success) throw new Error(opened.error.message);
    source = opened.value;
    return opened.value;
  }

  function canWrite(snapshot: PolicySnapshot, path: string): string {
    return verdict(decide(snapshot.policy, 'write_file', { path }));
  }

  it('refuses to start with a bad file and tells every problem', async () => {
    await writeFile(file, `${BAD}\nversoin: 1`);
    const opened = await YamlPolicySource.open({ file, trusted: true, surroundings }, bench);
    expect(opened.success).to.equal(false);
    if (opened.success) return;
    expect(opened.error.problems.map(({ line, column }) => `${line}:${column}`)).to.deep.equal([
      '2:17',
      '3:1',
    ]);
  });

  it('refuses a folder, and a file that is not there', async () => {
    for (const path of [folder, join(folder, 'none.yaml')]) {
      const opened = await YamlPolicySource.open({ file: path, trusted: true, surroundings }, bench);
      expect(opened.success).to.equal(false);
    }
  });

  it('uses the baseline where there is no file', async () => {
    const opened = await YamlPolicySource.open({ trusted: true, surroundings }, bench);
    if (!opened.success) throw new Error(opened.error.message);
    expect(opened.value.current().origin).to.deep.equal(['builtin:baseline']);
    expect(verdict(decide(opened.value.current().policy, 'read_file', { path: 'a' }))).to.equal('allow');
    await opened.value.watch();
  });

  it('keeps the last good policy while the file is bad, says so, and takes the next good one', async () => {
    const policies = await start(GOOD);
    const seen: PolicySnapshot[] = [];
    const stop = policies.onChange((snapshot) => seen.push(snapshot));
    const first = policies.current();
    await writeFile(file, BAD);
    await policies.reload();
    expect(canWrite(policies.current(), 'out/a')).to.equal('allow');
    expect(policies.current().hash).to.equal(first.hash);
    expect(policies.current().problems[0]).to.include({ line: 2, column: 17 });
    await writeFile(file, OTHER);
    await policies.reload();
    expect(policies.current().problems).to.deep.equal([]);
    expect(canWrite(policies.current(), 'out/a')).to.equal('deny NO_ALLOW');
    expect(canWrite(first, 'out/a'), 'a snapshot in use does not change').to.equal('allow');
    expect(seen.map(({ problems }) => problems.length)).to.deep.equal([1, 0]);
    stop();
    await writeFile(file, GOOD);
    await policies.reload();
    expect(seen).to.have.length(2);
  });

  it('says nothing when the content is the same', async () => {
    const policies = await start(GOOD);
    let changes = 0;
    policies.onChange(() => {
      changes += 1;
    });
    await policies.reload();
    expect(changes).to.equal(0);
  });

  it('notices a change on disk, also one by renaming over the file', async () => {
    const policies = await start(GOOD);
    await policies.watch();
    const changed = new Promise<PolicySnapshot>((resolve) => policies.onChange(resolve));
    await writeFile(join(folder, 'next'), OTHER);
    await rename(join(folder, 'next'), file);
    expect(canWrite(await changed, 'src/a')).to.equal('allow');
  });

  it('treats a changed file as untrusted until its new content is trusted', async () => {
    await writeFile(file, GOOD);
    const trusted = new Set<string>();
    const opened = await YamlPolicySource.open(
      {
        file,
        known: async () => true,
        trusted: async (_, content) =>
          trusted.size === 0 && trusted.add(content.toString()).has(content.toString()),
        surroundings,
      },
      bench,
    );
    if (!opened.success) throw new Error(opened.error.message);
    source = opened.value;
    expect(source.trusted).to.equal(true);
    expect(canWrite(source.current(), 'out/a')).to.equal('allow');
    await writeFile(file, OTHER);
    await source.reload();
    expect(source.trusted).to.equal(false);
    expect(canWrite(source.current(), 'src/a')).to.equal('deny NO_ALLOW');
  });
});
