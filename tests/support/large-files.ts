import { createHash } from 'node:crypto';

const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => `${line(index)}\n`).join('');
const words = (seed: number) => ['order', 'invoice', 'warehouse', 'customer', 'delivery'][seed % 5] ?? '';

/** The same bytes in every run. */
function bytes(count: number, seed: string): Buffer {
  const parts: Buffer[] = [];
  for (let made = 0; made < count; made += 64)
    parts.push(createHash('sha512').update(`${seed}${made}`).digest());
  return Buffer.concat(parts).subarray(0, count);
}

const json = JSON.stringify(
  Array.from({ length: 9_000 }, (_, id) => ({ id, name: words(id), price: id * 1.25 })),
);

function notebook(cells: number, imageBytes: number): string {
  const image = bytes(imageBytes, 'image').toString('base64');
  const cell = (n: number) => [
    { cell_type: 'markdown', metadata: {}, source: [`# Step ${n}\n`, `About the ${words(n)} "table".`] },
    {
      cell_type: 'code',
      execution_count: n,
      metadata: {},
      source: [`frame = load("${words(n)}-${n}")\n`, 'frame.plot()'],
      outputs: [
        { output_type: 'stream', name: 'stdout', text: [`${n} rows\n`] },
        {
          output_type: 'display_data',
          metadata: {},
          data: { 'image/png': image, 'text/plain': ['<Figure size 640x480>'] },
        },
      ],
    },
  ];
  const all = Array.from({ length: cells }, (_, n) => cell(n)).flat();
  return JSON.stringify({ cells: all, metadata: {}, nbformat: 4, nbformat_minor: 5 }, undefined, 1);
}

/** Files whose content no answer can show whole, or that no model reads. */
export const LARGE_FILES: Readonly<Record<string, string>> = {
  'base64.txt': bytes(90_000, 'one line').toString('base64'),
  'base64-lines.txt': lines(2_000, (n) => bytes(57, `line ${n}`).toString('base64')),
  'hex.txt': lines(3_000, (n) => bytes(32, `hex ${n}`).toString('hex')),
  'app.min.js': lines(1, () =>
    Array.from({ length: 9_000 }, (_, n) => `function f${n}(a,b){return a.x${n}+b[${n}]}`).join(';'),
  ),
  'data.json': json,
  'pretty.json': JSON.stringify(JSON.parse(json), undefined, 2),
  'large.json': JSON.stringify({
    title: 'five megabytes on a line',
    list: Array(190_000).fill('München — ok'),
  }),
  'analysis.ipynb': notebook(12, 60_000),
  'long.ipynb': notebook(400, 300),
  'server.log': lines(
    20_000,
    (n) => `2026-11-18T01:${n % 60}:12.${n}Z INFO [${n}] GET /api/${words(n)}/${n} 200 ${n % 97} ms`,
  ),
  'stack.log': lines(
    4_000,
    (n) =>
      `\tat com.example.${words(n)}.Service$${n}.handle(Service.java:${n})${n % 50 ? '' : `\nCaused by: ${bytes(1_800, `${n}`).toString('base64')}`}`,
  ),
  'prose.md': lines(
    3_000,
    (n) => `The ${words(n)} is checked against the ${words(n + 1)} before it leaves the house.`,
  ),
  'chinese.txt': lines(3_000, (n) => `第${n}章 这是一个关于仓库与订单的故事，我们在这里记录每一天的工作。`),
  'japanese.txt': lines(3_000, (n) => `${n}番目の注文は倉庫から出荷され、お客様に届けられました。`),
  'korean.txt': lines(3_000, (n) => `${n}번째 주문은 창고에서 출고되어 고객에게 배송되었습니다.`),
  'one-line.zh.txt': Array.from({ length: 4_000 }, (_, n) => `第${n}号订单已经发货，`).join(''),
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
