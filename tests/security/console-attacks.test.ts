import { request as ask, createServer, type Server } from 'node:http';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import type {
  AnswerOutcome,
  OperatedServers,
  ServerPolicy,
  ServerState,
} from '../../src/application/operation/operated-server.js';
import { Result } from '../../src/domain/result.js';
import { ConsoleAccess } from '../../src/presentation/console/console-access.js';
import { ConsoleHandler } from '../../src/presentation/console/console-handler.js';
import { PAGES } from '../../src/presentation/console/console-page.js';
import { ConsoleViews } from '../../src/presentation/console/console-views.js';
import { openBrowser } from '../support/console-ground.js';

const HEADS = [
  '',
  '"',
  "'",
  '">',
  "'>",
  '</pre>',
  '</textarea>',
  '</title>',
  '</script>',
  '-->',
  '<!--',
  ']]>',
];
const BODIES = [
  '<script>window.hit=1</script>',
  '<img src=x onerror=window.hit=1>',
  '<svg onload=window.hit=1>',
  '<svg><script>window.hit=1</script>',
  '<iframe srcdoc="<script>parent.hit=1</script>">',
  '<a href="javascript:window.hit=1">x</a>',
  '<form action="javascript:window.hit=1"><button>',
  '<details open ontoggle=window.hit=1>',
  '<body onload=window.hit=1>',
  '<style>@import "http://127.0.0.1:1/x"</style>',
  '<base href="http://127.0.0.1:1/">',
  '<meta http-equiv=refresh content="0;url=http://127.0.0.1:1/">',
  ' onfocus=window.hit=1 autofocus x=',
  ' onmouseover=window.hit=1 style=position:fixed;inset:0 x=',
  '<input autofocus onfocus=window.hit=1>',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=window.hit=1>',
  '<noscript><p title="</noscript><img src onerror=window.hit=1>">',
  '<template><script>window.hit=1</script></template>',
  '<video><source onerror=window.hit=1>',
  '<marquee onstart=window.hit=1>',
  '<object data="javascript:window.hit=1">',
  '<embed src="javascript:window.hit=1">',
  '${window.hit=1}{{window.hit=1}}<%= 1 %>',
  '\u2028window.hit=1\u2029<script>window.hit=1</script>',
  '\u0000<scr\u0000ipt>window.hit=1</script>',
];
const STRINGS = HEADS.flatMap((head) => BODIES.map((body) => head + body));

/** Servers that say what an agent has made them say, and take down what they are told. */
class HostileServers implements OperatedServers {
  readonly told: string[] = [];

  async states() {
    return new Map([['s', this.#state()]]);
  }
  async answer(): Promise<AnswerOutcome> {
    this.told.push('answer');
    return 'taken';
  }
  async stop() {
    this.told.push('stop');
    return true;
  }
  async policy(): Promise<ServerPolicy> {
    return {
      origin: STRINGS,
      hash: STRINGS[0] ?? '',
      problems: STRINGS,
      warnings: STRINGS,
      notice: STRINGS.join(''),
      roles: STRINGS.map((role) => ({ role, tools: [role] })),
    };
  }
  async tryCall() {
    return undefined;
  }

  #state(): ServerState {
    return {
      server: { pid: 1, workspace: STRINGS.join('') },
      sessions: STRINGS.map((text) => ({ id: text, caller: text, transport: text, client: text })),
      calls: STRINGS.map((text) => ({
        id: text,
        session: text,
        tool: text,
        arguments: { [text]: text },
        startedAt: 1,
      })),
      processes: STRINGS.map((text) => ({
        id: text,
        session: text,
        command: text,
        state: 'running' as const,
        startedAt: 1,
        output: text,
      })),
      questions: STRINGS.map((text) => ({
        id: text,
        caller: text,
        mode: 'ask' as const,
        ways: ['console' as const],
        tool: text,
        effect: text,
        consequences: text,
        rule: { at: text, why: text },
        programs: [text],
        arguments: { path: text },
        phrase: text,
        openedAt: 1,
        expiresAt: 2,
      })),
    };
  }
}

describe('the console under attack', function () {
  this.timeout(120_000);
  const servers = new HostileServers();
  const access = new ConsoleAccess();
  let listener: Server;
  let host: string;
  let handler: ConsoleHandler;
  before(async () => {
    const record = (text: string) => ({
      kind: 'outcome',
      time: '2026-01-01T00:00:00Z',
      tool: text,
      caller: text,
      decision: { effect: 'deny', reason: text, rule: text },
      outcome: { kind: 'refused', duration_ms: 1, bytes: 1 },
      kept: { path: text },
    });
    const views = new ConsoleViews({
      servers,
      records: async () => Result.ok(STRINGS.map(record)),
      verify: async () => Result.failure(STRINGS.join(''), 'Broken'),
    });
    handler = new ConsoleHandler(views, access, () => host);
    listener = createServer((request, response) => void handler.handle(request, response));
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const address = listener.address();
    host = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  });
  after(() => {
    handler.close();
    listener.close();
    listener.closeAllConnections();
  });
  beforeEach(() => {
    servers.told.length = 0;
  });

  const open = () => {
    const room = access.open(access.link().slice('/open/'.length));
    if (room === undefined) throw new Error('The link does not open.');
    return { path: room.path, cookie: room.cookie.split(';')[0] ?? '' };
  };

  const send = (method: string, path: string, headers: Record<string, string>, body = '') =>
    new Promise<{ status: number; text: string; headers: NodeJS.Dict<string | string[]> }>(
      (resolve, reject) => {
        const sent = ask({ host: '127.0.0.1', port: host.split(':')[1], method, path, headers }, (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (part: string) => {
            text += part;
          });
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text, headers: answer.headers }));
        });
        sent.on('error', reject);
        sent.end(body);
      },
    );

  it('shows nothing without the cookie, and a link twice to nobody', async () => {
    const { path, cookie } = open();
    for (const name of ['', ...PAGES, 'events', 'style.css', 'script.js']) {
      expect((await send('GET', path + name, { host })).status, name).to.equal(403);
      expect((await send('GET', `/${name}`, { host, cookie })).status, name).to.equal(403);
    }
    const link = access.link();
    expect((await send('GET', link, { host })).status).to.equal(303);
    expect((await send('GET', link, { host })).status).to.equal(403);
    expect((await send('GET', `${path}now`, { host, cookie })).status).to.equal(200);
  });

  it('changes nothing for another site, another name or another port', async () => {
    const { path, cookie } = open();
    const form = 'server=s&id=x&kind=call&answer=once';
    const honest = { host, cookie, origin: `http://${host}` };
    for (const headers of [
      { ...honest, host: 'evil.example' },
      { ...honest, host: `evil.example:${host.split(':')[1]}` },
      { ...honest, origin: 'http://evil.example' },
      { ...honest, origin: 'null' },
      { host, cookie },
      { host, origin: honest.origin },
      { ...honest, 'sec-fetch-site': 'cross-site' },
      { ...honest, 'sec-fetch-site': 'same-site' },
    ])
      for (const name of ['answer', 'stop', 'try'])
        expect((await send('POST', path + name, headers, form)).status).to.equal(403);
    expect((await send('GET', `${path}answer?${form}`, { host, cookie })).status).to.equal(404);
    expect((await send('PUT', `${path}answer`, honest, form)).status).to.equal(405);
    expect((await send('POST', `${path}answer`, honest, 'x'.repeat(70_000))).status).to.equal(413);
    expect(servers.told).to.deep.equal([]);
    expect((await send('POST', `${path}answer`, honest, form)).status).to.equal(303);
    expect(servers.told).to.deep.equal(['answer']);
  });

  it('can be framed by nobody, and loads nothing of others', async () => {
    const { path, cookie } = open();
    const { headers } = await send('GET', `${path}approvals`, { host, cookie });
    expect(headers['content-security-policy'])
      .to.match(/^default-src 'none';/)
      .and.include("frame-ancestors 'none'");
    expect(headers['content-security-policy']).not.to.match(/unsafe|\*|https?:/);
    expect(headers['x-frame-options']).to.equal('DENY');
    expect(headers['cache-control']).to.equal('no-store');
  });

  it(`runs none of ${STRINGS.length} strings in any place of any page, and nothing is changed`, async () => {
    expect(STRINGS).to.have.length(300);
    const browser: Browser = await openBrowser();
    try {
      // Without our policy of content, so that escaping alone has to hold; then with it.
      for (const bypassCSP of [true, false]) {
        const context = await browser.newContext({ bypassCSP });
        const page = await context.newPage();
        const elsewhere: string[] = [];
        page.on('request', (sent) => {
          if (new URL(sent.url()).host !== host) elsewhere.push(sent.url());
        });
        await page.goto(`http://${host}${access.link()}`);
        for (const name of [...PAGES, 'history?verify=1']) {
          await page.goto(new URL(name, page.url()).href);
          await page.mouse.move(300, 300);
          expect(await page.evaluate('window.hit'), name).to.equal(undefined);
          const strange =
            'document.querySelectorAll("iframe,object,embed,base,img,video,math,[onerror],[onload]").length';
          expect(await page.evaluate(strange), name).to.equal(0);
          expect(await page.evaluate('document.scripts.length'), name).to.equal(1);
        }
        expect(elsewhere).to.deep.equal([]);
        await context.close();
      }
      expect(servers.told).to.deep.equal([]);
    } finally {
      await browser.close();
    }
  });
});
