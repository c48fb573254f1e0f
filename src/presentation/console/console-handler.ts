import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ConsoleAccess, foreignRequest } from './console-access.js';
import { SCRIPT, STYLE } from './console-assets.js';
import { ConsoleFollowers } from './console-followers.js';
import { PAGES } from './console-page.js';
import type { ConsoleViews, Said } from './console-views.js';

const MAX_FORM = 64 * 1024;

/** Nothing but what is ours, in no frame, kept nowhere. */
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
} as const;

const NO_ENTRY = 'The address was used already, or is too old. Press Enter at castellan console for another.';

/** Serves the pages of the console, each request checked before anything is looked up for it. */
export class ConsoleHandler {
  readonly #followers: ConsoleFollowers;

  constructor(
    private readonly views: ConsoleViews,
    private readonly access: ConsoleAccess,
    /** As the Host header must have it. */
    private readonly host: () => string,
  ) {
    this.#followers = new ConsoleFollowers(views);
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const foreign = foreignRequest(request, this.host());
    if (foreign !== undefined) return send(response, 403, 'text/plain', foreign);
    const url = new URL(request.url ?? '/', 'http://console');
    const [first = '', second = '', ...rest] = url.pathname.slice(1).split('/');
    if (first === 'open' && request.method === 'GET') return this.#open(second, response);
    if (rest.length > 0 || !this.access.admits(first, request.headers.cookie))
      return send(response, 403, 'text/plain', NO_ENTRY);
    if (request.method === 'GET') return this.#get(second, url.searchParams, response);
    if (request.method !== 'POST') return send(response, 405, 'text/plain', 'GET or POST.');
    const form = await readForm(request);
    if (form === undefined) return send(response, 413, 'text/plain', 'The form is too large.');
    return this.#post(second, form, response);
  }

  close(): void {
    this.#followers.close();
  }

  #open(token: string, response: ServerResponse): void {
    const room = this.access.open(token);
    if (room === undefined) send(response, 403, 'text/plain', NO_ENTRY);
    else {
      response.writeHead(303, { ...HEADERS, Location: `${room.path}now`, 'Set-Cookie': room.cookie });
      response.end();
    }
  }

  async #get(name: string, query: URLSearchParams, response: ServerResponse): Promise<void> {
    const page = PAGES.find((known) => known === name);
    if (page !== undefined) {
      const isPart = query.get('part') === 'live';
      return send(
        response,
        200,
        'text/html',
        await (isPart ? this.views.part(page) : this.views.page(page, query)),
      );
    }
    switch (name) {
      case '':
        return redirect(response, 'now');
      case 'style.css':
        return send(response, 200, 'text/css', STYLE);
      case 'script.js':
        return send(response, 200, 'text/javascript', SCRIPT);
      case 'events':
        response.writeHead(200, { ...HEADERS, 'Content-Type': 'text/event-stream' });
        return this.#followers.add(response);
      default:
        return send(response, 404, 'text/plain', 'There is no such page.');
    }
  }

  async #post(name: string, form: URLSearchParams, response: ServerResponse): Promise<void> {
    switch (name) {
      case 'answer':
        return redirect(response, 'approvals', await this.views.answer(form));
      case 'stop':
        return redirect(response, 'now', await this.views.stop(form));
      case 'try': {
        const tried = await this.views.tryCall(form);
        return send(
          response,
          200,
          'text/html',
          await this.views.page('policy', new URLSearchParams(), tried),
        );
      }
      default:
        return send(response, 404, 'text/plain', 'There is no such form.');
    }
  }
}

function redirect(response: ServerResponse, page: string, said?: Said): void {
  const Location = said === undefined ? page : `${page}?said=${said}`;
  response.writeHead(303, { ...HEADERS, Location });
  response.end();
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { ...HEADERS, 'Content-Type': `${type}; charset=utf-8` });
  response.end(body);
}

/** undefined: more than a form of ours has. */
function readForm(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    request.on('data', (part: Buffer) => {
      size += part.length;
      if (size <= MAX_FORM) parts.push(part);
    });
    request.on('error', reject);
    request.on('end', () =>
      resolve(size > MAX_FORM ? undefined : new URLSearchParams(Buffer.concat(parts).toString('utf8'))),
    );
  });
}
