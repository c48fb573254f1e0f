import { createHash } from 'node:crypto';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { CliWorkspace } from '../support/cli-workspace.js';

describe('the command line about the audit log', () => {
  let project: CliWorkspace;

  beforeEach(async () => {
    project = new CliWorkspace();
  });

  afterEach(() => project.remove());

  /** A server that makes three calls and ends in peace. */
  async function recordCalls(): Promise<string> {
    const server = project.serve();
    await server.initialize();
    for (const id of [1, 2, 3]) await server.callTool(id, 'echo', { message: `call ${id}` });
    await server.end();
    const [segment] = project.auditSegments();
    if (segment === undefined) throw new Error('nothing was recorded');
    return segment;
  }

  function lines(segment: string): string[] {
    return readFileSync(segment, 'utf8').trimEnd().split('\n');
  }

  it('finds a log sound that nobody touched, and shows its calls', async () => {
    await recordCalls();
    const verified = await project.run(['audit', 'verify']);
    expect(verified.code, verified.stderr).to.equal(0);
    expect(verified.stdout).to.contain('The audit log is sound.');
    const { stdout } = await project.run(['audit', 'tail', '-n', '2']);
    const rows = stdout.trimEnd().split('\n');
    expect(rows).to.have.length(3);
    expect(rows[2]).to.match(/outcome +echo +allow +success$/);
    const [record = ''] = (await project.run(['audit', 'tail', '--json', '--count', '1'])).stdout.split('\n');
    expect(JSON.parse(record)).to.deep.include({ kind: 'outcome', tool: 'echo', caller: 'local' });
    expect(record, 'arguments are hashed').to.not.contain('call 3');
  });

  it('keeps the digest of what each call wrote, also where a document was written', async () => {
    project.write('castellan.yaml', 'categories:\n  adr: { dir: docs/adr, patterns: ["*.md"] }\n');
    const policy = project.write('../permissions.yaml', 'version: 1\nextends: [builtin:workspace]\n');
    const server = project.serve(['--policy', policy], { CASTELLAN_TOOLSETS: 'all' });
    await server.initialize();
    await server.callTool(1, 'write_file', { path: 'a.txt', content: 'first\n' });
    const edits = [{ old_text: 'first', new_text: 'second' }];
    await server.callTool(2, 'edit_file', { path: 'a.txt', edits });
    await server.callTool(3, 'copy_path', { source: 'a.txt', destination: 'b.txt' });
    await server.callTool(4, 'create_document', {
      category_dir: 'adr',
      name: 'n.md',
      content: '# New\n',
      explicit_action: 'CREATE_DOCUMENT',
    });
    await server.callTool(5, 'read_file', { path: 'a.txt' });
    await server.end();
    const records = (await project.run(['audit', 'tail', '--json'])).stdout.trimEnd().split('\n');
    const landed = records.map((line) => JSON.parse(line)).flatMap(({ outcome }) => outcome?.landed ?? []);
    const digest = (text: string) => createHash('sha256').update(text).digest('hex');
    expect(landed).to.deep.equal([
      { path: project.path('a.txt'), sha256: digest('first\n') },
      { path: project.path('a.txt'), sha256: digest('second\n') },
      { path: project.path('b.txt'), sha256: digest('second\n') },
      { path: project.path('docs/adr/n.md'), sha256: digest('# New\n') },
    ]);
    expect((await project.run(['audit', 'verify'])).code).to.equal(0);
  });

  it('tells how many files of an allowed read_files were refused', async () => {
    for (const name of ['a.txt', 'b.txt', '.env']) project.write(name, 'text\n');
    const server = project.serve();
    await server.initialize();
    await server.callTool(1, 'read_files', { paths: ['a.txt', '.env', 'b.txt', '../elsewhere', 'gone.txt'] });
    await server.callTool(2, 'read_files', { paths: ['a.txt', 'gone.txt'] });
    await server.callTool(3, 'read_files', { paths: ['.env'] });
    await server.end();
    expect((await project.run(['audit', 'verify'])).stdout).to.contain('The audit log is sound.');
    const rows = (await project.run(['audit', 'tail'])).stdout.trimEnd().split('\n');
    expect(rows[1]).to.match(/outcome +read_files +allow +success 2 refused$/);
    expect(rows[2]).to.match(/outcome +read_files +allow +success$/);
    expect(rows[3]).to.match(/outcome +read_files +deny \S+ +refused PermissionDeniedError$/);
    const [record = '', whole = ''] = (await project.run(['audit', 'tail', '--json'])).stdout.split('\n');
    expect(JSON.parse(record).outcome).to.include({ kind: 'success', refused: 2 });
    expect(JSON.parse(whole).outcome).not.to.have.property('refused');
  });

  const tampering: readonly [string, (content: string[]) => string[], RegExp][] = [
    ['one byte changed', (all) => all.map((line) => line.replace('"echo"', '"ecko"')), /changed/],
    ['a record removed', (all) => all.filter((_, index) => index !== 1), /misplaced|changed/],
    ['two records swapped', ([a = '', b = '', c = '', d = '']) => [a, c, b, d], /misplaced/],
    ['the tail cut', (all) => all.slice(0, -1), /cut: The end was cut: 1 of 4 records are missing/],
    ['a record added', (all) => [...all, all.at(-1) ?? ''], /added|misplaced/],
  ];
  for (const [name, change, wanted] of tampering) {
    it(`finds ${name}`, async () => {
      const segment = await recordCalls();
      writeFileSync(segment, `${change(lines(segment)).join('\n')}\n`);
      for (const args of [
        ['audit', 'verify'],
        ['audit', 'verify', segment],
      ]) {
        const { code, stdout, stderr } = await project.run(args);
        expect(code).to.equal(1);
        expect(stderr).to.match(wanted);
        expect(stdout).to.contain('tampered with');
      }
    });
  }

  it('calls a record that a crash left incomplete torn, not cut', async () => {
    const server = project.serve(['--policy', project.write('p.yaml', 'audit: { required_for: [echo] }\n')]);
    await server.initialize();
    await server.callTool(1, 'echo', { message: 'one' });
    // The second intent is on the disk by then; the outcome of the first call with it.
    await server.callTool(2, 'echo', { message: 'two' });
    await server.kill();
    const [segment = ''] = project.auditSegments();
    writeFileSync(segment, `${readFileSync(segment, 'utf8')}{"n":99,"kind":"outc`);
    const { code, stdout, stderr } = await project.run(['audit', 'verify']);
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    expect(stdout).to.contain('torn: the last record is incomplete').and.contain('sound');
  });

  it('calls a log cut when a record that was certain is gone', async () => {
    const server = project.serve(['--policy', project.write('p.yaml', 'audit: { required_for: [echo] }\n')]);
    await server.initialize();
    await server.callTool(1, 'echo', { message: 'one' });
    await server.kill();
    const [segment = ''] = project.auditSegments();
    truncateSync(segment, Buffer.byteLength(`${lines(segment)[0]}\n`) + 20);
    const { code, stderr } = await project.run(['audit', 'verify']);
    expect(code).to.equal(1);
    expect(stderr).to.contain('cut');
  });

  it('says that nothing was recorded yet, and refuses a count that is none', async () => {
    const { code, stderr } = await project.run(['audit', 'verify']);
    expect(code).to.equal(1);
    expect(stderr).to.contain('nothing was recorded yet');
    expect((await project.run(['audit', 'tail', '-n', 'some'])).code).to.equal(2);
  });
});
