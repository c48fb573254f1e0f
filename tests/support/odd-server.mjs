// An embedder in plain JavaScript, where nothing keeps a handler to its types: each row is something that one might
// return, throw or leave behind. Over stdio; the tool `odd_rows` lists the rows.
import { Readable } from 'node:stream';
import * as Type from 'typebox';
import {
  createCastellan,
  defineTool,
  executionFailed,
  Result,
  ToolResult,
  toolArguments,
  toolFailure,
} from '../../dist/lib/index.js';

class Model {
  constructor(name) {
    this.name = name;
  }
}

const hostile = () =>
  new Proxy(
    {},
    new Proxy(
      {},
      {
        get: () => () => {
          throw new Error('do not look');
        },
      },
    ),
  );

const cycle = () => {
  const one = { name: 'one' };
  one.self = one;
  return one;
};

const deep = (levels) => {
  let value = 'bottom';
  for (let level = 0; level < levels; level += 1) value = { value };
  return value;
};

const later = (ms) => new Promise((wake) => setTimeout(wake, ms));

export const rows = {
  'failure: text and type': () => Result.failure('no such note', 'NotFoundError'),
  'failure: with everything': () =>
    Result.failure('no such note', 'NotFoundError', {
      message: 'Tell them that it is gone.',
      instruction: 'List the notes first.',
      exception: new RangeError('12 of 10'),
      details: { note: 12 },
    }),
  'failure: async': async () => Result.failure('no such note', 'NotFoundError'),
  'failure: of ours': () => toolFailure(executionFailed('no such note', { type: 'NotFoundError' })),
  'failure: an Error as the reason': () => Result.failure(new Error('gone'), 'NotFoundError'),
  'failure: nothing as the reason': () => Result.failure(undefined, undefined),
  'failure: a number as the reason': () => Result.failure(42, 7),
  'failure: hostile exception': () => Result.failure('no', 'NotFoundError', { exception: hostile() }),
  'failure: 300 MB': () => Result.failure('x'.repeat(300_000_000), 'LongError'),
  'failure: plain object': () => ({ success: false, error: 'no such note', error_type: 'NotFoundError' }),
  'failure: details that JSON cannot hold': () =>
    Result.failure('no such note', 'NotFoundError', { details: { big: 1n } }),
  'success: plain object': () => ({ success: true, value: [1], instruction: 'Go on.' }),
  'success: notes that are not text': () => Result.ok([1], { message: 5n, instruction: cycle(), page: 3 }),
  'value: text': () => 'just text',
  'value: number': () => 42,
  'value: object with success of its own': () => ({ success: true, count: 3 }),
  'value: undefined': () => undefined,
  'value: async undefined': async () => undefined,
  'value: null': () => null,
  'value: true': () => true,
  'value: -0': () => Result.ok(-0),
  'value: NaN': () => Result.ok({ mean: Number.NaN }),
  'value: Infinity': () => Number.POSITIVE_INFINITY,
  'value: BigInt': () => 10n,
  'value: BigInt inside': () => Result.ok({ list: [1, 10n] }),
  'value: symbol': () => Symbol('odd'),
  'value: function': () => () => 1,
  'value: cyclic': () => Result.ok(cycle()),
  'value: frozen': () => Object.freeze(Result.ok(Object.freeze({ frozen: Object.freeze([1]) }))),
  'value: Date': () => Result.ok(new Date(0)),
  'value: invalid Date': () => Result.ok(new Date(Number.NaN)),
  'value: Map': () => Result.ok(new Map([['a', 1]])),
  'value: Map with keys that are not text': () => Result.ok(new Map([[1, 'a']])),
  'value: Set': () => Result.ok(new Set([1, 2])),
  'value: Buffer': () => Result.ok(Buffer.from('hi')),
  'value: typed array': () => Result.ok(Float32Array.of(1, 2)),
  'value: ArrayBuffer': () => Result.ok(new ArrayBuffer(8)),
  'value: class instance': () => Result.ok(new Model('ada')),
  'value: no prototype': () => Result.ok(Object.assign(Object.create(null), { bare: 1 })),
  'value: RegExp': () => Result.ok(/x/),
  'value: WeakMap': () => Result.ok(new WeakMap()),
  'value: promise inside': () => Result.ok({ inner: Promise.resolve(1) }),
  'value: rejected promise inside': () => {
    const inner = Promise.reject(new Error('nobody looks'));
    inner.catch(() => undefined);
    return Result.ok({ inner });
  },
  'value: generator': () =>
    (function* count() {
      yield 1;
    })(),
  'value: async generator': () =>
    (async function* count() {
      yield 1;
    })(),
  'value: stream': () => Readable.from(['a', 'b']),
  'value: WebAssembly memory': () => Result.ok(new WebAssembly.Memory({ initial: 1 })),
  'value: Error': () => new Error('returned, not thrown'),
  'value: Error in a Result': () => Result.ok({ cause: new TypeError('inside') }),
  'value: hostile proxy': () => hostile(),
  'value: hostile proxy in a Result': () => Result.ok(hostile()),
  'value: async hostile proxy': async () => hostile(),
  'value: getter that throws': () => ({
    get name() {
      throw new Error('not today');
    },
  }),
  'value: getter that changes its mind': () => {
    let looks = 0;
    return Result.ok({
      get name() {
        looks += 1;
        return looks === 1 ? 'ada' : 1n;
      },
    });
  },
  'value: toJSON that throws': () => ({
    toJSON() {
      throw new Error('not today');
    },
  }),
  'value: toJSON without end': () => {
    const again = { toJSON: () => ({ toJSON: again.toJSON }) };
    return again;
  },
  'value: 250 levels': () => Result.ok(deep(250)),
  'value: 100,000 levels': () => deep(100_000),
  'value: 300 MB of text': () => 'x'.repeat(300_000_000),
  'value: 300 MB in a list': () => Result.ok(['x'.repeat(300_000_000)]),
  'value: array of 4 billion': () => Result.ok(new Array(4_000_000_000)),
  'value: proxy of an endless array': () =>
    Result.ok(new Proxy([], { get: (list, key) => (key === 'length' ? 2 ** 52 : list[key]) })),
  'value: lone surrogates': () => Result.ok({ half: '\ud800', other: '\udc00x' }),
  'thenable: resolves': () => ({
    // biome-ignore lint/suspicious/noThenProperty: that is the point
    then(resolve) {
      resolve(Result.ok(ToolResult.text('from then')));
    },
  }),
  'thenable: throws': () => ({
    // biome-ignore lint/suspicious/noThenProperty: that is the point
    then() {
      throw new Error('no then');
    },
  }),
  'thenable: never settles': () => ({
    // biome-ignore lint/suspicious/noThenProperty: that is the point
    then() {},
  }),
  'throw: text': () => {
    throw 'a bare text';
  },
  'throw: undefined': () => {
    throw undefined;
  },
  'throw: null': () => {
    throw null;
  },
  'throw: BigInt': () => {
    throw 10n;
  },
  'throw: symbol': () => {
    throw Symbol('odd');
  },
  'throw: hostile proxy': () => {
    throw hostile();
  },
  'throw: no prototype': () => {
    throw Object.create(null);
  },
  'throw: Error whose message throws': () => {
    const error = new Error('x');
    Object.defineProperty(error, 'message', {
      get() {
        throw new Error('again');
      },
    });
    throw error;
  },
  'throw: stack overflow': () => {
    const down = () => down() + 1;
    return down();
  },
  'throw: a Result': () => {
    throw Result.failure('thrown', 'NotFoundError');
  },
  'reject: text': () => Promise.reject('a bare text'),
  'reject: undefined': () => Promise.reject(),
  'reject: hostile proxy': () => Promise.reject(hostile()),
  'reject: late, after the time is over': async () => {
    await later(900);
    throw new Error('too late');
  },
  'return: late, after the time is over': async () => {
    await later(900);
    return 10n;
  },
  'never settles': () => new Promise(() => undefined),
  'content: of another copy': () =>
    Result.ok({ kind: 'tool-result', content: [{ type: 'text', text: 'a copy' }], isError: false }),
  'content: no list': () => Result.ok({ kind: 'tool-result', content: 'text' }),
  'content: unknown block': () => Result.ok(ToolResult.of([{ type: 'hologram', data: 'x' }])),
  'content: text without text': () => Result.ok(ToolResult.of([{ type: 'text' }])),
  'content: text that is a number': () => Result.ok(ToolResult.text(42)),
  'content: null block': () => Result.ok(ToolResult.of([null])),
  'content: image without type': () => Result.ok(ToolResult.of([{ type: 'image', data: 'aGk=' }])),
  'content: annotations that JSON cannot hold': () =>
    Result.ok(ToolResult.of([{ type: 'text', text: 'x', annotations: { priority: 1n } }])),
  'content: 300 MB of text': () => Result.ok(ToolResult.text('x'.repeat(300_000_000))),
  'content: 300 MB of picture': () => Result.ok(ToolResult.image('A'.repeat(300_000_000), 'image/png')),
  'content: bare': () => ToolResult.text('without a Result'),
  'side: logs what JSON cannot hold': (context) => {
    context.log('error', { big: 1n, ...cycle() });
    context.log('error', hostile());
    context.progress(Number.NaN, 1n, cycle());
    return Result.ok(ToolResult.text('logged'));
  },
};

const about = {
  version: '1.0.0',
  category: 'host',
  description: 'Does what a row says.',
  usage: 'Call it.',
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  security: 'None.',
  outputText: 'What the row gives.',
};

const odd = defineTool({
  ...about,
  name: 'odd',
  summary: 'Do one odd thing.',
  examples: [{ title: 'One', arguments: { row: 'value: text' } }],
  input: toolArguments({ row: Type.String({ description: 'Which.' }) }),
  run: ({ row }, _needs, context) => rows[row](context),
});

const oddRows = defineTool({
  ...about,
  name: 'odd_rows',
  summary: 'List the odd things.',
  examples: [{ title: 'All', arguments: {} }],
  input: toolArguments({}),
  run: () => Result.ok(Object.keys(rows)),
});

const castellan = await createCastellan({
  tools: [odd, oddRows],
  budget: { timeoutMs: 700, breaker: { failures: 1_000_000, openForMs: 1 } },
  logLevel: 'debug',
});
await castellan.serveStdio();
await castellan.close();
