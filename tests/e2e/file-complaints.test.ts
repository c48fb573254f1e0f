import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { ENVELOPES, useInstead } from '../support/other-answers.js';
import { allowing } from '../support/sample-workspace.js';
import { SpawnedServer } from '../support/spawned-server.js';
import { TemporaryDisk } from '../support/temporary-disk.js';

const CAP = 256 * 1024;

/** What people say about other file servers, tried on the built one. */
describe('what users of file servers complain about', () => {
  useInstead(ENVELOPES);
  let disk: TemporaryDisk;
  let server: SpawnedServer;
  let link: string;
  let calls = 0;

  before(async () => {
    disk = new TemporaryDisk();
    const put = (path: string, content: string | Uint8Array) => disk.file(join(disk.root, path), content);
    put('src/app.ts', Array.from({ length: 50 }, (_, line) => `const line${line} = ${line};\n`).join(''));
    put('src/a/b/c/deep.ts', 'deep\n');
    put('.gitignore', 'node_modules/\n');
    for (let index = 0; index < 300; index += 1) put(`node_modules/p${index}/index.js`, 'const line7 = 0;\n');
    put('.env', 'KEY=hidden-value\n');
    put('windows.txt', 'one\r\ntwo\r\nthree\r\n');
    put('wide.txt', Buffer.from('\ufeffhello\nwide\n', 'utf16le'));
    put('long.txt', 'a line of a long file\n'.repeat(100_000));
    put('evil.txt', `${'a'.repeat(50_000)}!\n`);
    link = join(disk.base, 'linked');
    symlinkSync(disk.root, link);
    const rate = '    rate: { per: principal, limit: 100000/min }\n';
    writeFileSync(join(disk.base, 'policy.yaml'), allowing('.', rate));
    // The workspace is named through a link, as /tmp is one on macOS.
    server = new SpawnedServer(undefined, {
      CASTELLAN_WORKSPACE: link,
      CASTELLAN_POLICY: join(disk.base, 'policy.yaml'),
      XDG_STATE_HOME: disk.state,
    });
    await server.initialize();
  });
  after(async () => {
    await server.kill();
    disk.dispose();
  });

  async function call(tool: string, args: object) {
    calls += 1;
    const { result } = await server.callTool(calls, tool, args);
    const content = (result?.content ?? []) as readonly { readonly text?: string }[];
    return {
      texts: content.map(({ text = '' }) => text),
      failed: result?.isError === true,
      structured: result?.structuredContent as { readonly value?: unknown } | undefined,
    };
  }
  const value = async (tool: string, args: object) => (await call(tool, args)).structured?.value;

  it('there is no content search: there is, and it does not look into node_modules', async () => {
    expect(await value('search_content', { query: 'line7 =' })).to.deep.equal([
      { path: 'src/app.ts', line: 8, column: 7, text: 'const line7 = 7;', before: [], after: [] },
    ]);
  });

  it('there are no line ranges: there are, from both ends', async () => {
    const { texts } = await call('read_file', { path: 'src/app.ts', offset: 10, limit: 2 });
    expect(texts[0]).to.equal('const line10 = 10;\nconst line11 = 11;\n');
    expect((await call('read_file', { path: 'src/app.ts', offset: -1 })).texts[0]).to.equal(
      'const line49 = 49;\n',
    );
  });

  it('node_modules floods every listing: not ours, unless it is asked for', async () => {
    const listed = JSON.stringify(await value('list_directory', { recursive: true }));
    expect(listed).to.include('src/a/b/c/deep.ts').and.not.to.include('node_modules');
    const found = await value('search_files', { pattern: '*.js', ignore: false });
    expect(found).to.be.an('array').with.length(300);
  });

  it('searches hang: an expression that explodes elsewhere takes linear time', async () => {
    expect(await value('search_content', { query: '(a+)+$' }))
      .to.be.an('array')
      .with.length(0);
    expect(await value('search_files', { pattern: '*a*a*a*a*a*a*a*a*a*a*b' })).to.deep.equal([]);
  });

  it('trees have no depth limit: they have', async () => {
    const paths = (await value('list_directory', { path: 'src', recursive: true, max_depth: 2 })) as {
      path: string;
    }[];
    expect(paths.map(({ path }) => path)).to.deep.equal(['src/a', 'src/a/b', 'src/app.ts']);
  });

  it('.env can be read inside an allowed folder: it can be neither read, found nor listed', async () => {
    expect((await call('read_file', { path: '.env' })).failed).to.equal(true);
    expect(await value('search_content', { query: 'hidden-value', ignore: false })).to.deep.equal([]);
    expect(JSON.stringify(await value('list_directory', {}))).not.to.include('"path":".env"');
  });

  it('roots that are links are refused: paths through the link and the real ones both work', async () => {
    for (const root of [link, disk.root]) {
      const { texts } = await call('read_file', { path: `${root}/src/a/b/c/deep.ts` });
      expect(texts, root).to.deep.equal(['deep\n']);
    }
  });

  it('CRLF breaks edits: line feeds in an edit match, and the file keeps its endings', async () => {
    const edits = [{ old_text: 'one\ntwo\n', new_text: 'one\n2\n' }];
    expect((await call('edit_file', { path: 'windows.txt', edits })).failed).to.equal(false);
    expect(readFileSync(join(disk.root, 'windows.txt'), 'utf8')).to.equal('one\r\n2\r\nthree\r\n');
  });

  it('"no match" helps nobody: ours shows the nearest lines and where they are', async () => {
    const edits = [{ old_text: 'const line33 = 34;', new_text: '' }];
    const { texts, failed } = await call('edit_file', { path: 'src/app.ts', edits });
    expect(failed).to.equal(true);
    expect(texts[0])
      .to.match(/line 34/)
      .and.to.include('const line33 = 33;');
  });

  it('UTF-16 is read as NULs: it is read as text', async () => {
    expect((await call('read_file', { path: 'wide.txt' })).texts).to.deep.equal(['hello\nwide\n']);
  });

  it('a limit of 0 returns everything: it is refused', async () => {
    const { failed, texts } = await call('read_file', { path: 'src/app.ts', limit: 0 });
    expect(failed).to.equal(true);
    expect(texts[0]).to.match(/limit must be an integer of at least 1/);
  });

  it('text is sent twice: a file is one text block and nothing else', async () => {
    const { texts, structured } = await call('read_file', { path: 'src/a/b/c/deep.ts' });
    expect(texts).to.deep.equal(['deep\n']);
    expect(structured).to.equal(undefined);
  });

  it('there is no copy: there is, for files and trees', async () => {
    expect((await call('copy_path', { source: 'src', destination: 'copy' })).failed).to.equal(false);
    expect(readFileSync(join(disk.root, 'copy/a/b/c/deep.ts'), 'utf8')).to.equal('deep\n');
  });

  it('answers eat the context: they are cut, and say how to go on', async () => {
    const { texts } = await call('read_file', { path: 'long.txt' });
    expect(Buffer.byteLength(texts[0] ?? '')).to.be.at.most(CAP);
    expect(texts[1]).to.match(/Read on with offset \d+/);
  });
});
