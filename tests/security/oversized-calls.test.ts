import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { MAX_DEPTH, MAX_VALUES } from '../../src/presentation/mcp/surface/message-bounds.js';
import type { HttpClient } from '../support/http-client.js';
import { listeningCastellan } from '../support/http-host.js';
import { isolatedOptions } from '../support/isolated-options.js';

const OWN = isolatedOptions();
const LONG = 3_500_000;
/** Text that takes so many characters is long work to read; less is what honest calls have. */
const SLICE = 32 * 1024;

const call = (name: string, args: string) =>
  `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;
const keys = (count: number) =>
  `{${Array.from({ length: count }, (_, n) => `"k${n.toString(36)}":1`).join(',')}}`;
const list = (count: number, entry = '"a"') => `[${Array.from({ length: count }, () => entry).join(',')}]`;
const nest = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** Refused before they are parsed. */
const OVER: Readonly<Record<string, string>> = {
  'unknown keys': call('echo', keys(300_000)),
  'entries of a list': call('read_files', `{"paths":${list(600_000)}}`),
  'empty objects': call('echo', `{"message":${list(700_000, '{}')}}`),
  'lists in lists': call('echo', `{"message":${nest(1_000_000)}}`),
  'objects in objects': call('echo', `${'{"a":'.repeat(400_000)}1${'}'.repeat(400_000)}`),
  'a little too deep': call('echo', `{"message":${nest(MAX_DEPTH)}}`),
  'many outside of the arguments': `{"jsonrpc":"2.0","id":5,"method":"ping","params":{"_meta":${keys(300_000)}}}`,
  'a batch': list(400_000, '{}'),
};
/** Within the bounds, and as large as that goes. */
const UNDER: Readonly<Record<string, string>> = {
  'unknown keys': call('echo', keys(MAX_VALUES - 10)),
  'long unknown keys': call('echo', keys(MAX_VALUES - 10).replaceAll('"k', `"${'k'.repeat(150)}`)),
  'entries of a list': call('read_files', `{"paths":${list(MAX_VALUES - 10)}}`),
  'one long text': call('echo', JSON.stringify({ message: 'x'.repeat(LONG) })),
  'one long key': call('echo', JSON.stringify({ ['k'.repeat(LONG)]: 1 })),
  'escaped characters': call('echo', `{"message":"${'\\u00e9'.repeat(LONG / 6)}"}`),
  'characters of four bytes': call('echo', `{"message":"${'😀'.repeat(LONG / 4)}"}`),
};

describe('Oversized and deeply nested calls of one caller', () => {
  let host: Awaited<ReturnType<typeof listeningCastellan>>;
  let mallory: HttpClient;
  let alice: HttpClient;
  const realParse = JSON.parse;

  before(async () => {
    host = await listeningCastellan(OWN);
    [mallory, alice] = [host.client(), host.client()];
    await mallory.open();
    await alice.open();
  });
  after(async () => {
    JSON.parse = realParse;
    await host.castellan.close();
  });

  for (const [what, body] of Object.entries(OVER)) {
    it(`are refused before anybody parses them: ${what}`, async () => {
      let parsed = 0;
      JSON.parse = (text: string, reviver?: (this: unknown, key: string, value: unknown) => unknown) => {
        if (text.length > SLICE) parsed += 1;
        return realParse(text, reviver);
      };
      const answer = await mallory.send('POST', body).catch(() => undefined);
      JSON.parse = realParse;
      expect(parsed).to.equal(0);
      // The server may hang up while the rest still comes.
      if (answer !== undefined) {
        expect(answer.status).to.equal(413);
        expect(answer.text).to.match(/at most \d+ members and entries|levels deep/);
      }
    });
  }

  for (const [what, body] of Object.entries(UNDER)) {
    it(`are answered within bounds, and shortly: ${what}`, async () => {
      const { status, text } = await mallory.send('POST', body);
      expect(status).to.equal(200);
      expect(text.length).to.be.lessThan(400_000);
    });
  }

  it('thirty at once: the calls of another are answered between any two slices of work', async () => {
    /** What the server did, in order: a long text parsed (and all that follows in the same turn), or an echo answered. */
    const events: ('slice' | 'echo')[] = [];
    let turn = 0;
    let ended = false;
    const turns: number[] = [];
    const tick = () => {
      turn += 1;
      if (!ended) setImmediate(tick);
    };
    setImmediate(tick);
    JSON.parse = (text: string, reviver?: (this: unknown, key: string, value: unknown) => unknown) => {
      if (text.length > SLICE && text.startsWith('{"jsonrpc":"2.0","id":5,')) {
        events.push('slice');
        turns.push(turn);
      }
      return realParse(text, reviver);
    };
    const bodies = [...Object.values(OVER), ...Object.values(UNDER)];
    const flood = Array.from({ length: 30 }, (_, n) =>
      mallory.send('POST', bodies[n % bodies.length] ?? '').catch(() => undefined),
    );
    const echo = async () => {
      while (!ended) {
        const [answer] = await alice.call(7, 'echo', { message: 'hello' });
        expect(JSON.stringify(answer)).to.contain('hello');
        events.push('echo');
      }
    };
    const others = Array.from({ length: 8 }, echo);
    await Promise.all(flood);
    ended = true;
    await Promise.all(others);
    JSON.parse = realParse;
    const slices = events.filter((event) => event === 'slice').length;
    expect(slices).to.be.at.least(14);
    expect(new Set(turns).size, 'one slice a turn of the event loop').to.equal(slices);
    // An echo takes several turns there and back, since client and server share the event loop here.
    expect(events.filter((event) => event === 'echo').length).to.be.at.least(slices / 3);
  });
});
