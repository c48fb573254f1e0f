import fc from 'fast-check';

/** One line of input and what the server owes for it: answers by id, as JSON text. */
export interface Frame {
  readonly line: string | Buffer;
  readonly owed: readonly string[];
}

const NOBODY = 'null';
const nothing: readonly string[] = [];

const ids = fc.oneof(
  fc.integer({ min: -50, max: 50 }),
  fc.maxSafeInteger(),
  fc.constantFrom('', 'a', '1', '__proto__', 'constructor'),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);
const badIds = fc.constantFrom<unknown>(null, true, 1.5, 2 ** 60, [], {}, [1], { id: 1 });
const junk = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.string({ unit: 'binary', maxLength: 40 }));
const notObjects = junk.filter(
  (value) => typeof value !== 'object' || value === null || Array.isArray(value),
);
const objects = fc.dictionary(fc.string({ maxLength: 10 }), junk, { maxKeys: 4 });
/** initialize is left out: a second one may change the version in the middle. */
const methods = fc.oneof(
  fc.constantFrom('ping', 'tools/list', 'tools/call', 'resources/list', 'logging/setLevel', 'constructor'),
  fc.string({ maxLength: 20 }),
);
const params = fc.oneof(
  objects,
  fc.record({ name: fc.oneof(fc.constant('echo'), junk), arguments: fc.oneof(objects, junk) }),
  fc.record({ _meta: fc.oneof(junk, fc.record({ progressToken: junk })) }),
  fc.record({ cursor: junk }),
);

/** Anything with an id that deserves one answer by that id. */
const requests = fc.tuple(ids, methods, fc.option(params, { nil: undefined })).map(([id, method, given]) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(given !== undefined && { params: given }),
}));
const wrongTypes = fc.oneof(
  fc
    .tuple(ids, methods, notObjects)
    .map(([id, method, given]) => ({ jsonrpc: '2.0', id, method, params: given })),
  fc.tuple(ids, junk).map(([id, method]) => ({ jsonrpc: '2.0', id, method: [method] })),
  fc.tuple(ids, methods, fc.constantFrom<unknown>('1.0', 2, null, [], {})).map(([id, method, jsonrpc]) => ({
    jsonrpc,
    id,
    method,
  })),
  ids.map((id) => ({ jsonrpc: '2.0', id })),
);
const anonymous = fc.oneof(
  fc.tuple(badIds, methods).map(([id, method]) => ({ jsonrpc: '2.0', id, method })),
  objects.map((value) => ({ ...value, jsonrpc: 'x', id: null })),
  notObjects.filter((value) => !Array.isArray(value)),
);
/** Notifications, and answers to what was never asked. */
const silent = fc.oneof(
  methods.map((method) => ({ jsonrpc: '2.0', method: `notifications/${method}` })),
  fc.constant({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'never used' } }),
  fc.tuple(ids, objects).map(([id, result]) => ({ jsonrpc: '2.0', id, result })),
  ids.map((id) => ({ jsonrpc: '2.0', id, error: { code: -1, message: 'no' } })),
  fc.constant({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } }),
);

interface Value {
  readonly value: unknown;
  readonly owed: string;
}
const values: fc.Arbitrary<Value> = fc.oneof(
  { weight: 4, arbitrary: requests.map((value) => ({ value, owed: JSON.stringify(value.id) })) },
  { weight: 3, arbitrary: wrongTypes.map((value) => ({ value, owed: JSON.stringify(value.id) })) },
  { weight: 2, arbitrary: anonymous.map((value) => ({ value, owed: NOBODY })) },
  { weight: 2, arbitrary: silent.map((value) => ({ value, owed: '' })) },
);
const single: fc.Arbitrary<Frame> = values.map(({ value, owed }) => ({
  line: JSON.stringify(value),
  owed: owed === '' ? nothing : [owed],
}));

const truncated: fc.Arbitrary<Frame> = fc
  .tuple(requests, fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([request, part]) => {
    const whole = JSON.stringify(request);
    return { line: whole.slice(0, 1 + Math.floor(part * (whole.length - 2))), owed: [NOBODY] };
  });
const binary: fc.Arbitrary<Frame> = fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => {
  // 0xff is in no UTF-8 text, so that this is never JSON by accident.
  const line = Buffer.from([0xff, ...bytes.filter((byte) => byte !== 0x0a)]);
  return { line, owed: [NOBODY] };
});
const deep: fc.Arbitrary<Frame> = fc.tuple(ids, fc.integer({ min: 100, max: 5000 })).map(([id, depth]) => {
  const nested = `${'{"a":['.repeat(depth)}1${']}'.repeat(depth)}`;
  const line = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"tools/call","params":{"name":"echo","arguments":${nested}}}`;
  return { line, owed: [JSON.stringify(id)] };
});
const huge: fc.Arbitrary<Frame> = fc
  .tuple(ids, fc.integer({ min: 10_000, max: 300_000 }))
  .map(([id, size]) => {
    const request = { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'x'.repeat(size) } };
    return { line: JSON.stringify(request), owed: [JSON.stringify(id)] };
  });
const batch = (unpacked: boolean): fc.Arbitrary<Frame> =>
  fc.array(values, { maxLength: 8 }).map((batched) => ({
    line: JSON.stringify(batched.map(({ value }) => value)),
    owed:
      unpacked && batched.length > 0
        ? batched.map(({ owed }) => owed).filter((owed) => owed !== '')
        : [NOBODY],
  }));

/** `unpacked`: whether the protocol version spoken has batches. */
export function malformedFrames(count: number, seed: number, unpacked: boolean): readonly Frame[] {
  const frames = fc.oneof(
    { weight: 60, arbitrary: single },
    { weight: 15, arbitrary: truncated },
    { weight: 10, arbitrary: binary },
    { weight: 12, arbitrary: batch(unpacked) },
    { weight: 2, arbitrary: deep },
    { weight: 1, arbitrary: huge },
  );
  return fc.sample(frames, { numRuns: count, seed });
}
