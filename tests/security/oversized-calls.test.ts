import { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { eventually } from '../support/eventually.js';
import type { HttpClient } from '../support/http-client.js';
import { listeningCastellan } from '../support/http-host.js';
import { isolatedOptions } from '../support/isolated-options.js';
import { OVER, OVERSIZED, UNDER } from '../support/oversized-messages.js';

const OWN = isolatedOptions();
/** Text that takes so many characters is long work to read; less is what honest calls have. */
const SLICE = 32 * 1024;

describe('Oversized and deeply nested calls of one caller', () => {
  let host: Awaited<ReturnType<typeof listeningCastellan>>;
  let mallory: HttpClient;
  let alice: HttpClient;
  const realParse = JSON.parse;
  const realEnd = ServerResponse.prototype.end;

  before(async () => {
    host = await listeningCastellan(OWN);
    [mallory, alice] = [host.client(), host.client()];
    await mallory.open();
    await alice.open();
  });
  after(async () => {
    JSON.parse = realParse;
    ServerResponse.prototype.end = realEnd;
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
    const flood = [...Object.values(OVER), ...Object.values(UNDER)];
    const { slices, turns, answered, overtaken } = await record(
      Array.from({ length: 30 }, (_, n) => flood[n % flood.length] ?? ''),
    );
    expect(slices).to.be.at.least(14);
    expect(new Set(turns).size, 'one slice a turn of the event loop').to.equal(slices);
    expect(overtaken, 'calls that had come before a slice and were not answered before the next').to.equal(0);
    expect(answered, 'answers between each two slices').to.have.length(slices - 1);
    expect(Math.min(...answered), `answers between two slices: ${answered}`).to.be.at.least(1);
  });

  /** What the server did while it was sent these and another called echo, in order. */
  async function record(bodies: readonly string[]) {
    const turns: number[] = [];
    const answered: number[] = [];
    /** Echoes that have come and are not answered, with the number of slices before them. */
    const waiting = new Map<string, number>();
    let [turn, ended, overtaken, since, echoes] = [0, false, 0, 0, 0];
    const tick = () => {
      turn += 1;
      if (!ended) setImmediate(tick);
    };
    setImmediate(tick);
    JSON.parse = (text: string, reviver?: (this: unknown, key: string, value: unknown) => unknown) => {
      const echo = /^\{"jsonrpc":"2.0","id":7,.*"message":"(hello \d+)"/.exec(text.slice(0, 300))?.[1];
      if (echo !== undefined) waiting.set(echo, turns.length);
      if (text.length > SLICE && text.startsWith(OVERSIZED)) {
        // It came before the last slice began.
        overtaken += [...waiting.values()].filter((slices) => slices < turns.length).length;
        if (turns.length > 0) answered.push(since);
        since = 0;
        turns.push(turn);
      }
      return realParse(text, reviver);
    };
    ServerResponse.prototype.end = function (this: ServerResponse, ...args: unknown[]) {
      const echo = /Echo: (hello \d+)/.exec(String(args[0]).slice(0, 300))?.[1];
      if (echo !== undefined && waiting.delete(echo)) since += 1;
      return Reflect.apply(realEnd, this, args);
    };
    const echo = async () => {
      while (!ended) {
        echoes += 1;
        const message = `hello ${echoes}`;
        const [answer] = await alice.call(7, 'echo', { message });
        expect(JSON.stringify(answer)).to.contain(message);
        // A minute has only so many calls.
        for (let pause = 0; pause < 10; pause += 1) await nextTurn();
      }
    };
    const others = Array.from({ length: 4 }, echo);
    await eventually('the other has been answered', () => echoes > 2 * others.length);
    const sent = bodies.map((body) => mallory.send('POST', body).catch(() => undefined));
    await Promise.all(sent);
    ended = true;
    await Promise.all(others);
    JSON.parse = realParse;
    ServerResponse.prototype.end = realEnd;
    return { slices: turns.length, turns, answered, overtaken };
  }
});
