import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const COOKIE = 'castellan_console';
/** A link that nobody has opened by then opens nothing. */
const LINK_MS = 5 * 60_000;
/** Nobody has looked for so long. */
const IDLE_MS = 12 * 60 * 60_000;
const MAX_ROOMS = 8;

/** What one browser has: pages below a path of its own, and a cookie that is sent to that path alone. */
interface Room {
  readonly digest: Buffer;
  usedAt: number;
}

export interface OpenedRoom {
  readonly path: string;
  readonly cookie: string;
}

/**
 * Who may see the pages. Cookies do not tell ports apart: a server of somebody else on the same address would be sent
 * ours, if it did not have to know the path as well.
 */
export class ConsoleAccess {
  readonly #rooms = new Map<string, Room>();
  #link: { readonly digest: Buffer; readonly until: number } | undefined;

  constructor(private readonly now: () => number = Date.now) {}

  /** The path that opens the pages for one browser, once. The one before opens nothing any more. */
  link(): string {
    const token = secret();
    this.#link = { digest: digest(token), until: this.now() + LINK_MS };
    return `/open/${token}`;
  }

  /** undefined: the token was used, is too old or never was. */
  open(token: string): OpenedRoom | undefined {
    const link = this.#link;
    if (link === undefined || this.now() >= link.until || !same(link.digest, digest(token))) return undefined;
    this.#link = undefined;
    this.#sweep();
    const [name, value] = [secret(), secret()];
    this.#rooms.set(name, { digest: digest(value), usedAt: this.now() });
    return { path: `/${name}/`, cookie: `${COOKIE}=${value}; Path=/${name}/; HttpOnly; SameSite=Strict` };
  }

  /** Whether a request for something below this path comes from the browser that the path was made for. */
  admits(room: string, cookies: string | undefined): boolean {
    const known = this.#rooms.get(room);
    if (known === undefined || this.now() >= known.usedAt + IDLE_MS) return false;
    const values = (cookies ?? '').split(';').map((pair) => pair.trim());
    // A server on another port may have set one of the same name.
    const isOurs = values.some(
      (pair) => pair.startsWith(`${COOKIE}=`) && same(known.digest, digest(pair.slice(COOKIE.length + 1))),
    );
    if (isOurs) known.usedAt = this.now();
    return isOurs;
  }

  #sweep(): void {
    for (const [name, { usedAt }] of this.#rooms)
      if (this.now() >= usedAt + IDLE_MS || this.#rooms.size >= MAX_ROOMS) this.#rooms.delete(name);
  }
}

/** Why this request is not from a page of ours; undefined: it may be. */
export function foreignRequest({ headers, method }: IncomingMessage, host: string): string | undefined {
  if (headers.host !== host) return 'This console is not known by the name in the Host header.';
  const { origin } = headers;
  if (origin !== undefined && origin !== `http://${host}`) return 'This page was asked for by another site.';
  // Every browser of today says where a form comes from.
  if (method === 'POST' && origin === undefined) return 'A form must say where it comes from.';
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return 'Another site has led here.';
  return undefined;
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function same(one: Buffer, other: Buffer): boolean {
  return timingSafeEqual(one, other);
}
