import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import { ConsoleAccess, foreignRequest } from '../../../src/presentation/console/console-access.js';

const HOUR = 60 * 60_000;

describe('ConsoleAccess', () => {
  let now: number;
  let access: ConsoleAccess;
  beforeEach(() => {
    now = 0;
    access = new ConsoleAccess(() => now);
  });

  const token = () => access.link().slice('/open/'.length);
  const opened = () => {
    const room = access.open(token());
    if (room === undefined) throw new Error('The link does not open.');
    return { name: room.path.slice(1, -1), cookie: room.cookie.split(';')[0] ?? '', whole: room.cookie };
  };

  it('opens once, for one browser', () => {
    const link = token();
    expect(access.open(link)).not.to.equal(undefined);
    expect(access.open(link)).to.equal(undefined);
    expect(access.open('')).to.equal(undefined);
  });

  it('forgets a link that another took the place of, or that nobody opened', () => {
    const [first, second] = [token(), token()];
    expect(access.open(first)).to.equal(undefined);
    now = 5 * 60_000;
    expect(access.open(second)).to.equal(undefined);
  });

  it('admits the cookie to the path it was made for, and to no other', () => {
    const [one, other] = [opened(), opened()];
    expect(one.whole).to.match(/; Path=\/[\w-]{43}\/; HttpOnly; SameSite=Strict$/);
    expect(access.admits(one.name, one.cookie)).to.equal(true);
    expect(access.admits(one.name, `castellan_console=x; a=b; ${one.cookie}`)).to.equal(true);
    for (const cookies of [undefined, '', other.cookie, 'castellan_console=', one.cookie.slice(0, -1)])
      expect(access.admits(one.name, cookies), cookies).to.equal(false);
    expect(access.admits(other.name, one.cookie)).to.equal(false);
    expect(access.admits('', one.cookie)).to.equal(false);
  });

  it('ends after twelve hours without a look, and holds eight browsers', () => {
    const first = opened();
    now += 11 * HOUR;
    expect(access.admits(first.name, first.cookie)).to.equal(true);
    now += 12 * HOUR;
    expect(access.admits(first.name, first.cookie)).to.equal(false);
    const rooms = Array.from({ length: 9 }, opened);
    expect(rooms.filter(({ name, cookie }) => access.admits(name, cookie))).to.have.length(8);
  });
});

describe('a request from elsewhere', () => {
  const OURS = '127.0.0.1:4000';
  const asked = (method: string, headers: Record<string, string>) => {
    const request = new IncomingMessage(new Socket());
    request.method = method;
    Object.assign(request.headers, headers);
    return foreignRequest(request, OURS) !== undefined;
  };

  const CASES: readonly [title: string, method: string, headers: Record<string, string>, refused: boolean][] =
    [
      ['a page that is typed in', 'GET', { host: OURS, 'sec-fetch-site': 'none' }, false],
      ['a form of ours', 'POST', { host: OURS, origin: `http://${OURS}` }, false],
      ['another name for us', 'GET', { host: 'evil.example:4000' }, true],
      ['localhost', 'GET', { host: 'localhost:4000' }, true],
      ['another port', 'GET', { host: '127.0.0.1:4001' }, true],
      ['no name', 'GET', {}, true],
      ['a form of another site', 'POST', { host: OURS, origin: 'http://evil.example' }, true],
      ['a form of another port', 'POST', { host: OURS, origin: 'http://127.0.0.1:4001' }, true],
      ['a form of a sandboxed frame', 'POST', { host: OURS, origin: 'null' }, true],
      ['a form of nowhere', 'POST', { host: OURS }, true],
      ['a link on another site', 'GET', { host: OURS, 'sec-fetch-site': 'cross-site' }, true],
      ['a link on another port', 'GET', { host: OURS, 'sec-fetch-site': 'same-site' }, true],
    ];
  for (const [title, method, headers, refused] of CASES)
    it(`${title}: ${refused ? 'refused' : 'served'}`, () => {
      expect(asked(method, headers)).to.equal(refused);
    });
});
