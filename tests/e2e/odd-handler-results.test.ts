import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { CliWorkspace } from '../support/cli-workspace.js';
import { eventually } from '../support/eventually.js';
import { ENVELOPES, useInstead } from '../support/other-answers.js';
import { type SpawnedServer, type WireMessage } from '../support/spawned-server.js';

const ODD_SERVER = join(import.meta.dirname, '..', 'support', 'odd-server.mjs');
const STRAY_ERRORS = join(import.meta.dirname, '..', 'support', 'stray-errors.mjs');

const FAILED = /"error":"Tool execution failed: /;
const UNSERIALISABLE = /"error":"Tool execution failed: \$.* which JSON cannot hold"/;
const TOO_LARGE = /"error_type":"LimitExceededError"/;
const TIMED_OUT = /"error_type":"ToolTimeoutError"/;
const NOT_FOUND = /"error":"no such note".*"error_type":"NotFoundError"/;
const UNREADABLE = /something was thrown that cannot be read/;

/** What each row of tests/support/odd-server.mjs is answered with: a part of the answer's text. */
const ROWS: Readonly<Record<string, RegExp>> = {
  'failure: text and type': NOT_FOUND,
  'failure: with everything': NOT_FOUND,
  'failure: async': NOT_FOUND,
  'failure: of ours': NOT_FOUND,
  'failure: an Error as the reason': /"error":"gone".*"error_type":"NotFoundError"/,
  'failure: nothing as the reason': /gave no reason.*"error_type":"ToolExecutionError"/,
  'failure: a number as the reason': /gave no reason.*"error_type":"ToolExecutionError"/,
  'failure: hostile exception': UNREADABLE,
  'failure: 300 MB': /x\.\.\. \[300000000 chars\]".*"error_type":"LongError"/,
  'failure: plain object': NOT_FOUND,
  'failure: details that JSON cannot hold': NOT_FOUND,
  'success: plain object': /"value":\[1\],"instruction":"Go on\."/,
  'success: notes that are not text': /"status":"success","value":\[1\]\}$/,
  'value: text': /"value":"just text"/,
  'value: number': /"value":42/,
  'value: object with success of its own': /"value":\{"success":true,"count":3\}/,
  'value: undefined': /^\{"success":true,"status":"success"\}$/,
  'value: async undefined': /^\{"success":true,"status":"success"\}$/,
  'value: null': /"value":null/,
  'value: true': /"value":true/,
  'value: -0': /"value":0/,
  'value: NaN': UNSERIALISABLE,
  'value: Infinity': UNSERIALISABLE,
  'value: BigInt': UNSERIALISABLE,
  'value: BigInt inside': /\$\.list\[1\] is a bigint/,
  'value: symbol': UNSERIALISABLE,
  'value: function': UNSERIALISABLE,
  'value: cyclic': /\$\.self refers back to an object that contains it/,
  'value: frozen': /"value":\{"frozen":\[1\]\}/,
  'value: Date': /"value":"1970-01-01T00:00:00\.000Z"/,
  'value: invalid Date': /"value":null/,
  'value: Map': /"value":\{"a":1\}/,
  'value: Map with keys that are not text': /"value":\[\[1,"a"\]\]/,
  'value: Set': /"value":\[1,2\]/,
  'value: Buffer': /"type":"Buffer"/,
  'value: typed array': /"value":\[1,2\]/,
  'value: ArrayBuffer': UNSERIALISABLE,
  'value: class instance': /"value":\{"name":"ada"\}/,
  'value: no prototype': /"value":\{"bare":1\}/,
  'value: RegExp': UNSERIALISABLE,
  'value: WeakMap': UNSERIALISABLE,
  'value: promise inside': UNSERIALISABLE,
  'value: rejected promise inside': UNSERIALISABLE,
  'value: generator': UNSERIALISABLE,
  'value: async generator': UNSERIALISABLE,
  'value: stream': UNSERIALISABLE,
  'value: WebAssembly memory': /"status":"success"/,
  'value: Error': /Tool execution failed: returned, not thrown/,
  'value: Error in a Result': /"cause":\{"name":"TypeError","message":"inside"\}/,
  'value: hostile proxy': FAILED,
  'value: hostile proxy in a Result': FAILED,
  'value: async hostile proxy': FAILED,
  'value: getter that throws': /Tool execution failed: not today/,
  'value: getter that changes its mind': FAILED,
  'value: toJSON that throws': /Tool execution failed: not today/,
  'value: toJSON without end': /nested deeper than 200 levels/,
  'value: 250 levels': /nested deeper than 200 levels/,
  'value: 100,000 levels': /nested deeper than 200 levels/,
  'value: 300 MB of text': TOO_LARGE,
  'value: 300 MB in a list': TOO_LARGE,
  'value: array of 4 billion': TOO_LARGE,
  'value: proxy of an endless array': TOO_LARGE,
  'value: lone surrogates': /"half":"\\ud800"/,
  'thenable: resolves': /^from then$/,
  'thenable: throws': /Tool execution failed: no then/,
  'thenable: never settles': TIMED_OUT,
  'throw: text': /Tool execution failed: a bare text/,
  'throw: undefined': FAILED,
  'throw: null': FAILED,
  'throw: BigInt': FAILED,
  'throw: symbol': FAILED,
  'throw: hostile proxy': UNREADABLE,
  'throw: no prototype': FAILED,
  'throw: Error whose message throws': UNREADABLE,
  'throw: stack overflow': /Maximum call stack size exceeded/,
  'throw: a Result': FAILED,
  'reject: text': /Tool execution failed: a bare text/,
  'reject: undefined': FAILED,
  'reject: hostile proxy': UNREADABLE,
  'reject: late, after the time is over': TIMED_OUT,
  'return: late, after the time is over': TIMED_OUT,
  'never settles': TIMED_OUT,
  'content: of another copy': /^a copy$/,
  'content: no list': /content is not a list of blocks/,
  'content: unknown block': /content\[0\] has no type of text, image/,
  'content: text without text': /content\[0\] is a block of type text and its text is not a string/,
  'content: text that is a number': /its text is not a string/,
  'content: null block': /content\[0\] is not an object/,
  'content: image without type': /its mimeType is not a string/,
  'content: annotations that JSON cannot hold': /content\[0\] cannot be written as JSON/,
  'content: 300 MB of text': /^x+$/,
  'content: 300 MB of picture': /takes more than \d+ bytes/,
  'content: bare': /^without a Result$/,
  'side: logs what JSON cannot hold': FAILED,
};

function structured({ result }: WireMessage): unknown {
  return result?.structuredContent;
}

describe('What a handler in JavaScript returns, throws or leaves behind is answered', function () {
  useInstead(ENVELOPES);
  this.timeout(60_000);
  const workspace = new CliWorkspace();
  let server: SpawnedServer;

  before(async () => {
    server = workspace.serve([], {}, ODD_SERVER);
    await server.initialize();
  });

  after(() => workspace.remove());

  it('C28: every row has an expectation', async () => {
    const { result } = await server.callTool('rows', 'odd_rows', {});
    expect(result?.structuredContent).to.have.property('value').that.has.members(Object.keys(ROWS));
  });

  for (const [row, expected] of Object.entries(ROWS)) {
    it(`C28: ${row}`, async () => {
      const { result, error } = await server.callTool(row, 'odd', { row });
      const content = result?.content;
      const text: unknown = Array.isArray(content) ? content[0]?.text : JSON.stringify(error);
      expect(text).to.be.a('string').that.matches(expected);
      expect((await server.request(`ping ${row}`, 'ping')).result).to.deep.equal({});
    });
  }

  it('C28: the server is still the same process, and printed nothing but the protocol', async () => {
    expect(server.garbage).to.deep.equal([]);
    expect(await server.end()).to.deep.equal({ code: 0, signal: null });
  });
});

describe('A failure that a tool returned travels whole', function () {
  useInstead(ENVELOPES);
  this.timeout(60_000);
  const workspace = new CliWorkspace();

  after(() => workspace.remove());

  it('S0-05, S1-16: its own type, words and exception reach the wire, as structure and as text', async () => {
    const server = workspace.serve([], {}, ODD_SERVER);
    await server.initialize();
    const answer = await server.callTool(1, 'odd', { row: 'failure: with everything' });
    const envelope = {
      success: false,
      status: 'failure',
      error: 'no such note',
      error_message: 'no such note',
      error_type: 'NotFoundError',
      error_code: -32005,
      error_details: { note: 12 },
      message: 'Tell them that it is gone.',
      instruction: 'List the notes first.',
      exception_type: 'RangeError',
      exception_message: '12 of 10',
    };
    expect(structured(answer)).to.deep.equal(envelope);
    expect(answer.result).to.have.property('isError', true);
    expect(answer.result).to.have.nested.property('content[0].text', JSON.stringify(envelope));
  });

  it('S0-04: a text and a type are enough', async () => {
    const server = workspace.serve([], {}, ODD_SERVER);
    await server.initialize();
    const answer = await server.callTool(1, 'odd', { row: 'failure: text and type' });
    expect(structured(answer)).to.include({
      success: false,
      error: 'no such note',
      error_type: 'NotFoundError',
    });
  });

  it('S0-05, S1-16: the built server sends the instruction of its own refusals', async () => {
    const server = workspace.serve();
    await server.initialize();
    const answer = await server.callTool(1, 'write_file', { path: 'x', content: 'x' });
    expect(structured(answer))
      .to.have.property('instruction')
      .that.matches(/^Do not try variants/);
    expect(answer.result)
      .to.have.nested.property('content[0].text')
      .that.includes('"instruction":"Do not try');
  });
});

describe('Errors outside of every call', function () {
  useInstead(ENVELOPES);
  this.timeout(60_000);
  const workspace = new CliWorkspace();

  after(() => workspace.remove());

  it('C28: the command logs them and serves on', async () => {
    const env = { NODE_OPTIONS: `--import ${pathToFileURL(STRAY_ERRORS)}`, CASTELLAN_LOG_LEVEL: 'error' };
    const server = workspace.serve([], env);
    await server.initialize();
    await eventually('all three are in the log', () =>
      ['stray throw', 'stray rejection', '"message":"undefined"'].every((text) =>
        server.stderr.includes(text),
      ),
    );
    expect((await server.callTool(1, 'echo', { message: 'still here' })).result).to.have.property('content');
    expect(await server.end()).to.deep.equal({ code: 0, signal: null });
  });
});
