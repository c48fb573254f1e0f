import { closeSync } from 'node:fs';
import { createServer, Server, type Socket } from 'node:net';
import type { HostConnection, HostNetwork } from '../../../application/ports/command/host-network.js';
import {
  type HostAccess,
  type NamedPort,
  PROXY_PORT,
  SSH_PORT,
  WEB_PORTS,
} from '../../../domain/permission/network/host-access.js';
import { AddressBook } from './address-book.js';
import { AddressCheck } from './address-check.js';
import type { Authority } from './authority.js';
import { ConnectionDesk } from './connection-desk.js';
import { collect } from './first-bytes.js';
import { HttpRelay } from './http-relay.js';
import { type HeldSocket, listenInside, type WantedSocket } from './listening-helper.js';
import { LoopbackService } from './loopback-service.js';
import { NameServer } from './name-server.js';
import { makeNetwork, type NetworkMaker } from './network-namespace.js';
import { type Outside, REAL_OUTSIDE } from './outside.js';
import { RefusalCount } from './refusal-count.js';
import { readSocks, SOCKS_VERSION } from './socks-start.js';

const MOST_CONNECTIONS = 1024;
const MOST_PORTS = 64;
const NOTHING: Buffer = Buffer.alloc(0);

export interface NetworkOptions extends NetworkMaker {
  /** The real one unless a test says otherwise. */
  readonly outside?: Outside | undefined;
}

const NO_HOST = { host: 'unknown', port: undefined };

/** A socket that waits inside, and who serves it. */
type Served =
  | { readonly wanted: WantedSocket; readonly take: (socket: Socket) => void }
  | { readonly wanted: WantedSocket; readonly take: 'names' };

/**
 * A network of its own for commands with the same hosts. Nothing leads out of it but the sockets that the server holds
 * there: names are answered with an address each, and what is connected to that address is judged and passed on.
 */
export class SessionNetwork {
  /** Each with what was refused while it ran. */
  readonly #members = new Map<HostNetwork, RefusalCount>();
  readonly #book = new AddressBook();
  readonly #open = new Set<Socket>();
  readonly #http: HttpRelay;
  readonly #desk: ConnectionDesk;
  readonly #names: NameServer;
  readonly #loopback: LoopbackService;
  #sockets: readonly { close(): unknown }[] = [];
  #last: HostNetwork | undefined;
  #isClosed = false;

  private constructor(
    private readonly access: HostAccess,
    readonly net: number,
    outside: Outside,
  ) {
    const report = (connection: HostConnection): void => this.#report(connection);
    this.#desk = new ConnectionDesk({
      access,
      outside,
      report,
      addresses: new AddressCheck(access.addresses),
    });
    this.#loopback = new LoopbackService(outside, report);
    this.#http = new HttpRelay(this.#desk, (socket, authority, start) =>
      this.#connect(socket, authority, start),
    );
    this.#names = new NameServer({
      access,
      book: this.#book,
      refused: (name) => this.#desk.refuseName(name),
    });
  }

  /** Throws NetworkNotOpened. */
  static async open(access: HostAccess, options: NetworkOptions): Promise<SessionNetwork> {
    const net = await makeNetwork(options);
    const network = new SessionNetwork(access, net, options.outside ?? REAL_OUTSIDE);
    try {
      const served = network.#served();
      const held = await listenInside(
        { ...options, net },
        served.map(({ wanted }) => wanted),
      );
      network.#sockets = served.flatMap(({ take }, index) => {
        const socket = held[index];
        return socket === undefined ? [] : [network.#wait(socket, take)];
      });
      return network;
    } catch (error) {
      network.close();
      throw error;
    }
  }

  get isUsed(): boolean {
    return this.#members.size > 0;
  }

  /** A command begins; what is returned is called when nothing of it is left. */
  join(member: HostNetwork): () => void {
    const count = new RefusalCount((connection) => member.onConnection(connection, this.#members.size <= 1));
    this.#members.set(member, count);
    this.#last = member;
    return () => {
      this.#members.delete(member);
      count.close();
    };
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const socket of this.#sockets) socket.close();
    for (const socket of this.#open) socket.destroy();
    this.#http.close();
    for (const count of this.#members.values()) count.close();
    closeSync(this.net);
  }

  #served(): readonly Served[] {
    const everywhere = [...WEB_PORTS, SSH_PORT].map(
      (port): Served => ({
        wanted: { kind: 'tcp', host: '0.0.0.0', port },
        take: (socket) => void this.#serveNamed(socket, port),
      }),
    );
    const named = this.access.ports
      .filter(({ port }) => ![...WEB_PORTS, SSH_PORT].includes(port))
      .slice(0, MOST_PORTS)
      .flatMap(({ host, port }): Served[] => {
        const address = this.#book.addressOf(host);
        const take = (socket: Socket): void => void this.#serveNamed(socket, port);
        return address === undefined
          ? []
          : [{ wanted: { kind: 'tcp', host: address, port, optional: true }, take }];
      });
    const loopback = this.access.loopback.slice(0, MOST_PORTS).flatMap((port) =>
      ['127.0.0.1', '::1'].map(
        (host): Served => ({
          // Not every kernel has IPv6.
          wanted: { kind: 'tcp', host, port, ...(host === '::1' && { optional: true }) },
          take: (socket) => void this.#loopback.serve(socket, port),
        }),
      ),
    );
    return [
      { wanted: { kind: 'udp', host: '127.0.0.1', port: 53 }, take: 'names' },
      { wanted: { kind: 'tcp', host: '127.0.0.1', port: 53 }, take: (socket) => this.#names.serve(socket) },
      {
        wanted: { kind: 'tcp', host: '127.0.0.1', port: PROXY_PORT },
        take: (socket) => void this.#serveProxy(socket),
      },
      ...everywhere,
      ...named,
      ...loopback,
    ];
  }

  #wait(held: HeldSocket, take: Served['take']): { close(): unknown } {
    if (!(held instanceof Server)) {
      this.#names.listen(held);
      held.unref();
      return held;
    }
    if (take === 'names') return held;
    const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => {
      if (this.#isClosed || this.#open.size >= MOST_CONNECTIONS) return void socket.destroy();
      this.#open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.once('close', () => this.#open.delete(socket));
      take(socket);
    });
    server.on('error', () => undefined);
    return server.listen(held).unref();
  }

  async #serveNamed(socket: Socket, port: number): Promise<void> {
    const host = this.#book.nameOf(socket.localAddress);
    if (host !== undefined) return this.#serve(socket, { host, port });
    this.#desk.refuse({ host: socket.localAddress ?? 'unknown', port }, 'no name was asked for before');
    socket.resetAndDestroy();
  }

  #serve(socket: Socket, target: NamedPort, start = NOTHING): Promise<void> {
    return this.#desk.serve(socket, target, (one, meant, said) => this.#http.take(one, meant, said), start);
  }

  async #serveProxy(socket: Socket): Promise<void> {
    const start = await collect(socket, NOTHING, (bytes) => bytes.length > 0);
    if (start === undefined) return void socket.destroy();
    if (start[0] !== SOCKS_VERSION) return this.#http.take(socket, undefined, start);
    const asked = await readSocks(socket, start);
    if (asked === undefined) return void socket.end();
    if (!this.#mayConnect(asked.authority)) {
      asked.answer(false);
      return void socket.end();
    }
    asked.answer(true);
    return this.#serve(socket, asked.authority, asked.rest);
  }

  #connect(socket: Socket, authority: Authority | undefined, start: Buffer): void {
    if (this.#mayConnect(authority)) {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      void this.#serve(socket, authority, start);
    } else socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
  }

  #mayConnect(authority: Authority | undefined): authority is Authority {
    const why = authority === undefined ? 'it is no host with a port' : this.#desk.refusal(authority);
    if (why !== undefined) this.#desk.refuse(authority ?? NO_HOST, why);
    return why === undefined;
  }

  /** Of several commands nobody knows whose a connection is: all of them hear of a refusal, the last one records it. */
  #report(connection: HostConnection): void {
    if (connection.outcome === 'refused')
      for (const member of this.#members.keys()) member.onRefused(connection);
    const count = [...this.#members.values()].at(-1);
    if (count === undefined) this.#last?.onConnection(connection, true);
    else count.take(connection);
  }
}
