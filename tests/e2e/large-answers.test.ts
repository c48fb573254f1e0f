import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { getEncoding } from 'js-tiktoken';
import { after, before, describe, it } from 'mocha';
import { CliWorkspace } from '../support/cli-workspace.js';
import type { SpawnedServer } from '../support/spawned-server.js';

const o200k = getEncoding('o200k_base');
/** A tenth of the 8,000 for the estimate. */
const MOST = 8_800;

const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => `${line(index)}\n`).join('');
const words = (seed: number) => ['order', 'invoice', 'warehouse', 'customer', 'delivery'][seed % 5] ?? '';
const minified = lines(1, () =>
  Array.from({ length: 9_000 }, (_, n) => `function f${n}(a,b){return a.x${n}+b[${n}]}`).join(';'),
);
const json = JSON.stringify(
  Array.from({ length: 9_000 }, (_, id) => ({ id, name: words(id), price: id * 1.25 })),
);

const FILES: Readonly<Record<string, string>> = {
  'base64.txt': randomBytes(90_000).toString('base64'),
  'base64-lines.txt': lines(2_000, () => randomBytes(57).toString('base64')),
  'hex.txt': lines(3_000, () => randomBytes(32).toString('hex')),
  'app.min.js': minified,
  'data.json': json,
  'pretty.json': JSON.stringify(JSON.parse(json), undefined, 2),
  'server.log': lines(
    20_000,
    (n) => `2026-11-18T01:${n % 60}:12.${n}Z INFO [${n}] GET /api/${words(n)}/${n} 200 ${n % 97} ms`,
  ),
  'prose.md': lines(
    3_000,
    (n) => `The ${words(n)} is checked against the ${words(n + 1)} before it leaves the house.`,
  ),
  'chinese.txt': lines(3_000, (n) => `第${n}章 这是一个关于仓库与订单的故事，我们在这里记录每一天的工作。`),
  'japanese.txt': lines(3_000, (n) => `${n}番目の注文は倉庫から出荷され、お客様に届けられました。`),
  'korean.txt': lines(3_000, (n) => `${n}번째 주문은 창고에서 출고되어 고객에게 배송되었습니다.`),
  'russian.txt': lines(3_000, (n) => `Заказ номер ${n} проверен на складе и отправлен покупателю.`),
  'emoji.txt': lines(3_000, () => '🚀🎉 ✅ 🔥🔥 done 🎯'),
  'table.csv': lines(
    15_000,
    (n) => `${n},${n * 7},${words(n)},${(n * 1.1).toFixed(4)},2026-01-${(n % 28) + 1}`,
  ),
  'one-line.csv': Array.from({ length: 60_000 }, (_, n) => n).join(','),
  'code.ts': lines(
    8_000,
    (n) => `export const ${words(n)}${n} = { id: ${n}, next: (x: number) => x + ${n} };`,
  ),
};

interface Row {
  readonly what: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** How the answer says to get the rest. */
  readonly rest: RegExp;
}

const OFFSET = /offset \d+/;
const LONG = /characters, as minified or encoded text has/;
const CUT = /middle of the output was cut|was cut/;

const ROWS: readonly Row[] = [
  ...['base64.txt', 'app.min.js', 'data.json', 'one-line.csv'].map((path) => ({
    what: `read ${path}`,
    tool: 'read_file',
    args: { path },
    rest: LONG,
  })),
  ...Object.keys(FILES)
    .filter((path) => !['base64.txt', 'app.min.js', 'data.json', 'one-line.csv'].includes(path))
    .map((path) => ({ what: `read ${path}`, tool: 'read_file', args: { path }, rest: OFFSET })),
  {
    what: 'three long files',
    tool: 'read_files',
    args: { paths: ['prose.md', 'code.ts', 'server.log'] },
    rest: OFFSET,
  },
  {
    what: 'a folder of 3,000',
    tool: 'list_directory',
    args: { path: 'many', limit: 3_000 },
    rest: /limit \d+|cursor/,
  },
  {
    what: 'names of 3,000',
    tool: 'search_files',
    args: { path: 'many', limit: 3_000 },
    rest: /limit \d+|cursor/,
  },
  {
    what: 'matches everywhere',
    tool: 'search_content',
    args: { query: 'order', limit: 1_000 },
    rest: /limit \d+|cursor/,
  },
  { what: 'a log from a command', tool: 'execute_command', args: { command: 'cat server.log' }, rest: CUT },
  {
    what: 'base64 from a command',
    tool: 'execute_command',
    args: { command: 'cat base64.txt' },
    rest: /characters more|was cut/,
  },
  {
    what: 'minified from a command',
    tool: 'execute_command',
    args: { command: 'cat app.min.js' },
    rest: /characters more|was cut/,
  },
  {
    what: 'an edit in 200 KB on one line',
    tool: 'edit_file',
    args: { path: 'data.json', old_text: '"id":4500,', new_text: '"id":4501,' },
    rest: /characters\]/,
  },
  {
    what: '9,000 replacements',
    tool: 'edit_file',
    args: { path: 'pretty.json', old_text: '"price"', new_text: '"cost"', replace_all: true },
    rest: /too much changed to show it|3 of \d+ hunks/,
  },
];

describe('large and odd answers, as shipped', () => {
  let project: CliWorkspace;
  let server: SpawnedServer;
  let calls = 0;

  before(async () => {
    project = new CliWorkspace();
    for (const [name, text] of Object.entries(FILES)) project.write(name, text);
    for (let n = 0; n < 3_000; n += 1) project.write(`many/part-${n}-of-the-${words(n)}-data.txt`, 'x');
    await project.run(['init']);
    server = project.serve();
    await server.initialize();
  });
  after(() => project.remove());

  const texts = async (tool: string, args: object): Promise<readonly string[]> => {
    calls += 1;
    const { result } = await server.callTool(calls, tool, args);
    const content: readonly { text?: string }[] = JSON.parse(JSON.stringify(result?.content ?? []));
    return content.map(({ text = '' }) => text);
  };

  it('are 25 or more', () => expect(ROWS.length).to.be.at.least(25));

  for (const { what, tool, args, rest } of ROWS) {
    it(`S4-08: ${what}: at most 8,000 tokens, and how to get the rest`, async () => {
      const answer = (await texts(tool, args)).join('\n');
      const tokens = o200k.encode(answer).length;
      if (process.env.SHOW_ANSWERS) console.log(`| ${what} | ${tokens} |`);
      expect(tokens, answer.slice(-400)).to.be.at.most(MOST);
      expect(answer).to.match(rest);
    });
  }

  it('S4-08: reading on by the offsets that it says gives the whole file', async () => {
    let [whole, offset] = ['', 0];
    for (let part = 0; part < 60; part += 1) {
      const [text = '', note = ''] = await texts('read_file', { path: 'prose.md', offset });
      whole += text;
      const next = /offset (\d+)/.exec(note)?.[1];
      if (next === undefined) break;
      offset = Number(next);
    }
    expect(whole).to.equal(FILES['prose.md']);
  });

  it('S4-10: the limit that a cut list says fits, and its cursors lead through all of it', async () => {
    const note = (await texts('list_directory', { path: 'many', limit: 3_000 })).join('\n');
    const limit = Number(/with limit (\d+)/.exec(note)?.[1]);
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const answer = await texts('list_directory', { path: 'many', limit, ...(cursor && { cursor }) });
      for (const [name] of answer.join('\n').matchAll(/part-\d+-of/g)) seen.add(name);
      cursor = /"cursor":"([^"]+)"/.exec(answer.join('\n'))?.[1];
    } while (cursor !== undefined);
    expect(seen.size).to.equal(3_000);
  });

  it('S4-12: colours and progress bars of programs are not shown', async () => {
    const command = String.raw`printf '\033[31mred\033[0m\n'; for i in 1 2 3; do printf '\r%s0 %%' $i; done; echo`;
    expect((await texts('execute_command', { command }))[0]).to.equal('red\n30 %\n');
  });
});
