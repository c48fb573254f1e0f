import type { Socket } from 'node:net';
import type { HostConnection } from '../../../application/ports/command/host-network.js';
import {
  type HostAccess,
  isAddress,
  type NamedPort,
} from '../../../domain/permission/network/host-access.js';
import { parseHostName } from '../../../domain/permission/network/host-name.js';
import type { AddressCheck } from './address-check.js';
import { readClientHello } from './client-hello.js';
import { collect } from './first-bytes.js';
import { type Dialled, dial, type Outside } from './outside.js';
import { DownloadRing, relay } from './relay.js';

export interface DeskParts {
  readonly access: Pick<HostAccess, 'judge' | 'isMissing'>;
  readonly addresses: AddressCheck;
  readonly outside: Outside;
  readonly report: (connection: HostConnection) => void;
}

/** Takes a connection whose requests name their host, with what it said already. */
export type SpeakHttp = (socket: Socket, target: NamedPort, start: Buffer) => void;

const HTTP_PORT = 80;
const TLS_PORT = 443;
const TLS_START = 22;
const HTTP_START = /^[A-Z]{3,10} /;
/** Of a protocol in which nobody has to speak at once. */
const PATIENCE_MS = 60_000;
const NOTHING = Buffer.alloc(0);
const NO_TRAFFIC = { sent: 0, received: 0, durationMs: 0 };

/** Decides on every connection of a network by host: whether the host is listed, and whether what is said fits it. */
export class ConnectionDesk {
  constructor(private readonly parts: DeskParts) {}

  /** Returns why the host may not be reached, or undefined. */
  refusal({ host, port }: NamedPort): string | undefined {
    const verdict = this.parts.access.judge(host, port);
    if (verdict.allowed) return undefined;
    return verdict.why === 'denied' ? 'denied_hosts has it' : 'allowed_hosts does not have it';
  }

  refuse(target: { readonly host: string; readonly port: number | undefined }, why: string): void {
    const { host, port } = target;
    const unlisted = port !== undefined && this.parts.access.isMissing(host, port);
    this.parts.report({ host, port, outcome: 'refused', why, ...(unlisted && { unlisted }), ...NO_TRAFFIC });
  }

  /** A name that is not answered. */
  refuseName(host: string): void {
    const unlisted = this.parts.access.isMissing(host, TLS_PORT);
    const why = 'no rule of allowed_hosts has it';
    this.parts.report({
      host,
      port: undefined,
      outcome: 'refused',
      why,
      ...(unlisted && { unlisted }),
      ...NO_TRAFFIC,
    });
  }

  /** Reports what cannot be reached; the caller tells the client. */
  async dial(target: NamedPort, ring?: DownloadRing): Promise<Dialled> {
    const { outside, addresses, report } = this.parts;
    const dialled = await dial(
      outside,
      addresses,
      { ...target, isAddress: isAddress(target.host) },
      ring?.onread,
    );
    if (dialled.kind === 'refused') this.refuse(target, dialled.why);
    if (dialled.kind === 'failed') report({ ...target, outcome: 'failed', why: dialled.why, ...NO_TRAFFIC });
    return dialled;
  }

  reached(target: NamedPort, traffic: Pick<HostConnection, 'sent' | 'received' | 'durationMs'>): void {
    this.parts.report({ ...target, outcome: 'reached', ...traffic });
  }

  /** Serves an accepted connection that means this host. */
  async serve(
    socket: Socket,
    target: NamedPort,
    speakHttp: SpeakHttp,
    start: Buffer = NOTHING,
  ): Promise<void> {
    const why = this.refusal(target);
    if (why !== undefined) return this.#close(socket, target, why);
    if (target.port === HTTP_PORT) return speakHttp(socket, target, start);
    if (target.port === TLS_PORT) return this.#serveTls(socket, target, start);
    return this.#serveAny(socket, target, speakHttp, start);
  }

  /** Passes everything on, to a host that was decided on. */
  async pass(
    socket: Socket,
    target: NamedPort,
    upstream: Socket,
    prefix: Buffer,
    ring: DownloadRing,
  ): Promise<void> {
    const begun = performance.now();
    const traffic = await relay(socket, upstream, { prefix, ring });
    this.reached(target, { ...traffic, durationMs: performance.now() - begun });
  }

  async #serveTls(socket: Socket, target: NamedPort, start: Buffer): Promise<void> {
    const hello = await this.#checkedHello(socket, target, start);
    if (hello === undefined) return;
    const ring = new DownloadRing();
    const dialled = await this.dial(target, ring);
    if (dialled.kind === 'connected') return this.pass(socket, target, dialled.socket, hello, ring);
    socket.resetAndDestroy();
  }

  /** On other ports the server may speak first. If the client does, TLS and HTTP have to name the host. */
  async #serveAny(socket: Socket, target: NamedPort, speakHttp: SpeakHttp, start: Buffer): Promise<void> {
    const ring = new DownloadRing();
    const dialled = await this.dial(target, ring);
    if (dialled.kind !== 'connected') return void socket.resetAndDestroy();
    const upstream = dialled.socket;
    upstream.on('error', () => upstream.destroy());
    const first = collect(socket, start, isTelling, PATIENCE_MS);
    const speaker = await Promise.race([first, ring.spoke.then(() => 'server' as const)]);
    if (speaker === 'server') return this.pass(socket, target, upstream, start, ring);
    if (speaker === undefined) {
      upstream.destroy();
      return void socket.destroy();
    }
    if (HTTP_START.test(speaker.toString('latin1', 0, 16))) {
      upstream.destroy();
      return speakHttp(socket, target, speaker);
    }
    const isTls = speaker[0] === TLS_START;
    const prefix = isTls ? await this.#checkedHello(socket, target, speaker) : speaker;
    if (prefix === undefined) return void upstream.destroy();
    return this.pass(socket, target, upstream, prefix, ring);
  }

  /** The start of a TLS connection to the host that is meant; undefined: it was refused. */
  async #checkedHello(socket: Socket, target: NamedPort, start: Buffer): Promise<Buffer | undefined> {
    const read = await collect(socket, start, (bytes) => readClientHello(bytes).kind !== 'more');
    const hello = read === undefined ? undefined : readClientHello(read);
    if (hello?.kind !== 'hello') {
      this.#close(socket, target, 'the connection did not begin with a TLS handshake');
      return undefined;
    }
    const problem = problemOfName(hello.name, target.host);
    if (problem !== undefined) this.#close(socket, target, problem);
    return problem === undefined ? read : undefined;
  }

  #close(socket: Socket, target: NamedPort, why: string): void {
    this.refuse(target, why);
    socket.resetAndDestroy();
  }
}

/** Enough of a start to know what it is. */
function isTelling(bytes: Buffer): boolean {
  const text = bytes.toString('latin1', 0, 16);
  return bytes.length >= 12 || !/^[A-Z]{1,10} ?$/.test(text) || HTTP_START.test(text);
}

function problemOfName(name: string | undefined, host: string): string | undefined {
  if (isAddress(host)) return name === undefined ? undefined : 'the TLS handshake names another host';
  if (name === undefined) return 'the TLS handshake names no host';
  return parseHostName(name) === host ? undefined : 'the TLS handshake names another host';
}
