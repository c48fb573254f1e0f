import { expect } from 'chai';
import { getEncoding } from 'js-tiktoken';
import { after, before, describe, it } from 'mocha';
import { CliWorkspace } from '../support/cli-workspace.js';
import { LARGE_FILES } from '../support/large-files.js';
import type { SpawnedServer } from '../support/spawned-server.js';

const o200k = getEncoding('o200k_base');
/** A tenth of the 8,000 for the estimate. */
const MOST = 8_800;
/** How often an instruction is followed: enough to see that it leads on. */
const STEPS = 4;

type Arguments = Readonly<Record<string, unknown>>;

interface Answer {
  /** What files and programs say. */
  readonly text: string;
  /** What the server says about it. */
  readonly note: string;
  readonly tokens: number;
}

interface Row {
  readonly what: string;
  readonly tool: string;
  readonly args: Arguments;
  /** What the answer and all that its instructions lead to must be the beginning of. */
  readonly whole: () => string;
}

const content = (path: string) => (): string => LARGE_FILES[path] ?? '';
const read = (path: string): Row => ({
  what: `read ${path}`,
  tool: 'read_file',
  args: { path },
  whole: content(path),
});
const run = (what: string, command: string, whole: () => string): Row => ({
  what,
  tool: 'execute_command',
  args: { command },
  whole,
});

const ROWS: readonly Row[] = [
  ...Object.keys(LARGE_FILES)
    .filter((path) => !path.endsWith('.ipynb') && path !== 'stack.log')
    .map(read),
  run('a log from a command', 'cat server.log', content('server.log')),
  run('base64 from a command', 'cat base64.txt', content('base64.txt')),
  run('minified from a command', 'cat app.min.js', content('app.min.js')),
  run('Chinese from a command', 'cat chinese.txt', content('chinese.txt')),
  run('colours from a command', String.raw`sed 's/.*/\x1b[31m&\x1b[0m/' code.ts`, content('code.ts')),
];

/** The next call that a note asks for, in its own words. */
function nextCall(row: Pick<Row, 'tool' | 'args'>, note: string): Pick<Row, 'tool' | 'args'> | undefined {
  const process = /process_output (\{[^}]*\})/.exec(note)?.[1];
  if (process !== undefined) return { tool: 'process_output', args: JSON.parse(process) };
  const column = /offset (\d+) and column (\d+)/.exec(note);
  if (column !== null)
    return { tool: 'read_file', args: { ...row.args, offset: Number(column[1]), column: Number(column[2]) } };
  const offset = /[Rr]ead on with offset (\d+)/.exec(note)?.[1];
  return offset === undefined
    ? undefined
    : { tool: 'read_file', args: { ...row.args, offset: Number(offset) } };
}

describe('large and odd answers, as shipped', () => {
  let project: CliWorkspace;
  let server: SpawnedServer;
  let calls = 0;

  before(async () => {
    project = new CliWorkspace();
    for (const [name, text] of Object.entries(LARGE_FILES)) project.write(name, text);
    for (let n = 0; n < 3_000; n += 1) project.write(`many/part-${n}-of-the-data-of-a-day.txt`, 'x');
    project.write('docs/guidelines/long.md', `# All\n\n${LARGE_FILES['prose.md']}`);
    await project.run(['init']);
    project.write(
      'castellan.yaml',
      'project: { name: x }\ncategories: { guidelines: { dir: docs/guidelines } }\n',
    );
    await project.run(['trust']);
    server = project.serve();
    await server.initialize();
  });
  after(() => project.remove());

  const ask = async (tool: string, args: Arguments): Promise<Answer> => {
    calls += 1;
    const { result } = await server.callTool(calls, tool, args);
    const blocks: readonly { text?: string; annotations?: object }[] = JSON.parse(
      JSON.stringify(result?.content ?? []),
    );
    const texts = (isNote: boolean): string =>
      blocks
        .filter(({ annotations }) => (annotations !== undefined) === isNote)
        .map(({ text = '' }) => text)
        .join('\n');
    const [text, note] = [texts(false), texts(true)];
    const tokens = o200k.encode(`${text}\n${note}`).length;
    expect(tokens, `${tool} ${JSON.stringify(args)}: ${note}`).to.be.at.most(MOST);
    return { text, note, tokens };
  };

  it('are 25 or more', () => expect(ROWS.length + 7).to.be.at.least(25));

  for (const { what, tool, args, whole } of ROWS) {
    it(`S4-08: ${what}: at most 8,000 tokens, and what the answer says leads on`, async () => {
      const first = await ask(tool, args);
      if (process.env.SHOW_ANSWERS) console.log(`| ${what} | ${first.tokens} | ${first.note}`);
      let next = nextCall({ tool, args }, first.note);
      expect(next, first.note).to.not.equal(undefined);
      // A line that was cut ends with how much of it is missing; an output that was cut is read again from its start.
      let seen =
        next?.tool === 'process_output' ? '' : first.text.replace(/\[… \d+ characters more\][\s\S]*$/, '');
      for (let step = 0; step < STEPS && next !== undefined; step += 1) {
        const part = await ask(next.tool, next.args);
        expect(part.text, JSON.stringify(next)).to.not.equal('');
        seen += part.text;
        next = nextCall(next, part.note);
      }
      expect(seen.length).to.be.above(first.text.length * 0.9);
      expect(whole().startsWith(seen), seen.slice(0, 200)).to.equal(true);
    });
  }

  it('S4-08: reading on by the offsets that it says gives the whole file', async () => {
    let [whole, offset] = ['', 0];
    for (let part = 0; part < 60; part += 1) {
      const { text, note } = await ask('read_file', { path: 'prose.md', offset });
      whole += text;
      const next = /offset (\d+)/.exec(note)?.[1];
      if (next === undefined) break;
      offset = Number(next);
    }
    expect(whole).to.equal(LARGE_FILES['prose.md']);
  });

  it('S4-08: a log with some long lines says how to read on in the file and in such a line', async () => {
    const { note } = await ask('read_file', { path: 'stack.log' });
    const call = nextCall({ tool: 'read_file', args: { path: 'stack.log' } }, note);
    const { text } = await ask('read_file', call?.args ?? {});
    expect(text).to.equal(`${LARGE_FILES['stack.log']?.split('\n')[1]?.slice(2_000)}\n`);
    expect(note).to.match(/of 4080 lines\. Read on with offset \d+\.$/);
  });

  it('S4-08: says what encoded text is, and shows little of it', async () => {
    for (const [path, what] of [
      ['base64.txt', /characters of base64; .*base64 -d FILE/],
      ['base64-lines.txt', /characters of base64/],
      ['hex.txt', /characters of hexadecimal digits; .*xxd -r -p/],
    ] as const) {
      const { note, tokens } = await ask('read_file', { path });
      expect(note).to.match(what);
      expect(tokens).to.be.below(2_500);
    }
    expect((await ask('read_file', { path: 'app.min.js' })).note).to.match(
      /Line 1 has \d+ characters, as minified/,
    );
  });

  it('S4-08: notebooks are cells without images, and their JSON is there for edits', async () => {
    const { text, note } = await ask('read_file', { path: 'analysis.ipynb' });
    expect(note).to.match(/A notebook of 24 cells, shown as text without 12 outputs/);
    expect(text).to.include('## [1] markdown\n# Step 0\nAbout the order "table".\n');
    expect(text).to.include('frame = load("order-0")\nframe.plot()\n## [2] output\n0 rows\n<Figure size');
    expect(text).to.include('[image/png, 80000 characters, left out]');
    const raw = await ask('read_file', { path: 'analysis.ipynb', column: 0, limit: 30 });
    expect(raw.text).to.include('"frame = load(\\"order-0\\")\\n",');
    const edit = { old_text: 'load(\\"order-0\\")', new_text: 'load(\\"order-1\\")' };
    const edited = await ask('edit_file', { path: 'analysis.ipynb', ...edit });
    expect(edited.tokens).to.be.below(500);
    const long = await ask('read_file', { path: 'long.ipynb' });
    const offset = Number(/Read on with offset (\d+)/.exec(long.note)?.[1]);
    const on = await ask('read_file', { path: 'long.ipynb', offset });
    expect(on.text.split('\n')[0]).to.not.equal('');
    expect(on.note).to.match(/^Lines \d+-\d+ of \d+\. Read on with offset \d+\.$/);
  });

  it('S4-08: several files: each says how to go on, those with long lines too', async () => {
    const { note } = await ask('read_files', { paths: ['prose.md', 'code.ts', 'app.min.js', 'data.json'] });
    for (const path of ['prose.md', 'code.ts']) {
      const offset = Number(new RegExp(`${path} continues: read_file with offset (\\d+)`).exec(note)?.[1]);
      const { text } = await ask('read_file', { path, offset, limit: 1 });
      expect(text).to.equal(`${LARGE_FILES[path]?.split('\n')[offset]}\n`);
    }
    expect(note).to.match(/app\.min\.js: Line 1 has .* offset 0 and column 2000/);
  });

  it('S4-08: a place in a long line is found, with the column to read it by', async () => {
    const { text } = await ask('search_content', {
      path: 'app.min.js',
      query: 'function f8000(',
      literal: true,
    });
    const column = Number(/^1:(\d+):/m.exec(text)?.[1]) - 1;
    const { text: there } = await ask('read_file', { path: 'app.min.js', column });
    expect(there.startsWith('function f8000(')).to.equal(true);
  });

  it('S4-08: an edit on a line of 300 KB shows the change; many replacements are counted', async () => {
    const one = await ask('edit_file', { path: 'data.json', old_text: '"id":4500,', new_text: '"id":4501,' });
    expect(one.text).to.match(/^-\[… \d+ characters\] .*"id":4500,/m);
    expect(one.note).to.include('read_file with column shows the rest');
    expect(one.tokens).to.be.below(1_500);
    const edit = { old_text: 'the warehouse before', new_text: 'the store before', replace_all: true };
    const many = await ask('edit_file', { path: 'prose.md', ...edit });
    expect(many.note).to.match(/^600 places replaced\. \d+ of \d+ lines of the diff are shown/);
    expect(many.tokens).to.be.below(4_000);
    const rare = { old_text: '00, next', new_text: '01, next', replace_all: true };
    const hunks = await ask('edit_file', { path: 'code.ts', ...rare, dry_run: true });
    expect(hunks.note).to.match(/^79 places replaced\. 3 of 79 hunks are shown; read_file/);
    expect(hunks.text.match(/^@@/gm)).to.have.length(3);
    await ask('edit_file', {
      path: 'prose.md',
      old_text: edit.new_text,
      new_text: edit.old_text,
      replace_all: true,
    });
  });

  it('S4-10: the limit that a cut list says fits, and its cursors lead through all of it', async () => {
    for (const tool of ['list_directory', 'search_files']) {
      const { note } = await ask(tool, { path: 'many', limit: 3_000 });
      const limit = Number(/with limit (\d+)/.exec(note)?.[1]);
      const seen = new Set<string>();
      let cursor: string | undefined;
      do {
        const page = await ask(tool, { path: 'many', limit, ...(cursor && { cursor }) });
        for (const [name] of page.text.matchAll(/part-\d+-of/g)) seen.add(name);
        cursor = /"cursor":"([^"]+)"/.exec(page.note)?.[1];
      } while (cursor !== undefined);
      expect(seen.size).to.equal(3_000);
    }
  });

  it('S4-10: matches everywhere: the limit fits, and the cursor leads on', async () => {
    const query = { query: 'order', limit: 1_000 };
    const { note } = await ask('search_content', query);
    const limit = Number(/with limit (\d+)/.exec(note)?.[1]);
    const first = await ask('search_content', { ...query, limit });
    const cursor = /"cursor":"([^"]+)"/.exec(first.note)?.[1];
    const second = await ask('search_content', { ...query, limit, cursor });
    expect(second.text).to.not.equal(first.text);
    expect(second.text).to.include('order');
  });

  it('S4-08: a long document names the call that reads on', async () => {
    const { text } = await ask('get_content', { expression: 'guidelines/long.md' });
    const next = /Read on with read_file (\{[^}]*\})/.exec(text)?.[1] ?? '{}';
    const { offset }: { offset: number } = JSON.parse(next);
    const on = await ask('read_file', JSON.parse(next));
    expect(on.text.split('\n')[0]).to.equal(LARGE_FILES['prose.md']?.split('\n')[offset - 2]);
  });

  it('S4-08: a process that printed a lot: the end is shown, and its cursor leads through all', async () => {
    const started = await ask('execute_command', { command: 'cat server.log', background: true });
    const id = /running as (\S+),/.exec(started.note)?.[1];
    const cut = await ask('process_output', { process_id: id, wait_for: 'exit' });
    const next = /process_output (\{[^}]*\})/.exec(cut.note)?.[1] ?? '{}';
    const { text } = await ask('process_output', JSON.parse(next));
    expect(LARGE_FILES['server.log']).to.include(text);
    expect(text.split('\n').length).to.be.above(50);
  });

  it('S4-12: colours and progress bars of programs are not shown', async () => {
    const command = String.raw`printf '\033[31mred\033[0m\n'; for i in 1 2 3; do printf '\r%s0 %%' $i; done; echo`;
    expect((await ask('execute_command', { command })).text).to.equal('red\n30 %\n');
  });
});
