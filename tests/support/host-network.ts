import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttp, type IncomingMessage } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HostConnection, HostNetwork } from '../../src/application/ports/command/host-network.js';
import { HostAccess, type HostTerms } from '../../src/domain/permission/network/host-access.js';
import type { Outside } from '../../src/infrastructure/command/network/outside.js';

const at = { file: 'policy.yaml', line: 1, column: 1 };
const rules = (patterns: readonly string[]) => patterns.map((pattern) => ({ pattern, at }));

/** What a policy with `network: hosts` says. */
export function hostTerms(
  allowed: readonly string[],
  more: Partial<Omit<HostTerms, 'allowed' | 'denied'>> & { readonly denied?: readonly string[] } = {},
): HostTerms {
  const { denied = [], ...rest } = more;
  return {
    open: false,
    addresses: [],
    loopback: [],
    ...rest,
    allowed: rules(allowed),
    denied: rules(denied),
  };
}

export interface RecordedNetwork extends HostNetwork {
  readonly connections: HostConnection[];
  readonly alone: boolean[];
}

/** The network of a command, which keeps what it is told of. */
export function recordedNetwork(...terms: readonly HostTerms[]): RecordedNetwork {
  const connections: HostConnection[] = [];
  const alone: boolean[] = [];
  return {
    access: new HostAccess(terms),
    connections,
    alone,
    onConnection: (connection, isAlone) => {
      connections.push(connection);
      alone.push(isAlone);
    },
    onRefused: () => undefined,
    explain: () => undefined,
  };
}

/** Hosts of the internet that are listeners of this machine: every name has a public address that leads to one of them. */
export class FakeInternet implements Outside {
  readonly #addresses = new Map<string, readonly string[]>();
  readonly #later = new Map<string, readonly string[]>();
  readonly #ports = new Map<string, number>();
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();
  readonly dialled: string[] = [];
  #next = 1;

  /** `addresses`: others than one of its own. */
  name(name: string, addresses: readonly string[] = [`1.2.3.${this.#next++}`]): readonly string[] {
    this.#addresses.set(name, addresses);
    return addresses;
  }

  /** The first look-up answers with the address it had, later ones with another. */
  changing(name: string, ...later: readonly string[]): void {
    this.#later.set(name, [...later]);
  }

  async lookup(name: string): Promise<readonly string[]> {
    const later = this.#later.get(name);
    if (later !== undefined) this.#later.delete(name);
    const found = this.#addresses.get(name);
    if (found === undefined) throw new Error(`getaddrinfo ENOTFOUND ${name}`);
    if (later !== undefined) this.#addresses.set(name, later);
    return found;
  }

  connect: Outside['connect'] = (address, port, onread) => {
    this.dialled.push(`${address}:${port}`);
    const real = this.#ports.get(`${address}:${port}`) ?? (isLoopback(address) ? port : undefined);
    // Nothing but the listeners of the test is reached, whatever is asked for.
    return connect({ host: '127.0.0.1', port: real ?? 1, allowHalfOpen: true, ...(onread && { onread }) });
  };

  /** Puts a listener behind a port of a name. */
  async serve(name: string, port: number, server: Server): Promise<void> {
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.once('close', () => this.#sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.#servers.push(server);
    const addresses = this.#addresses.get(name) ?? this.name(name);
    for (const address of addresses) this.#ports.set(`${address}:${port}`, portOf(server));
  }

  http(name: string, answer: (request: IncomingMessage) => string = nameOf, port = 80): Promise<void> {
    return this.serve(
      name,
      port,
      createHttp((request, response) => void response.end(answer(request))),
    );
  }

  async https(name: string, authority: TestAuthority, port = 443): Promise<void> {
    const server = createHttps(
      authority.certify(name),
      (request, response) => void response.end(nameOf(request)),
    );
    await this.serve(name, port, server);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(this.#servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}

function nameOf({ headers, url }: IncomingMessage): string {
  return `${headers.host}${url}\n`;
}

function isLoopback(address: string): boolean {
  return address === '127.0.0.1';
}

export function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('It does not listen.');
  return address.port;
}

/** A listener that keeps what it is sent: nothing, where it is not to be reached. */
export class SilentListener {
  readonly server = createServer((socket) => {
    this.connections += 1;
    socket.on('data', (chunk) => {
      this.bytes += chunk.length;
    });
    socket.on('error', () => socket.destroy());
  });
  connections = 0;
  bytes = 0;
}

/** A certificate authority for a test, and certificates of its own. */
export class TestAuthority {
  readonly #folder = mkdtempSync(join(tmpdir(), 'castellan-authority-'));
  readonly certificate = join(this.#folder, 'ca.pem');

  constructor() {
    const subject = ['-subj', '/CN=Test authority', '-addext', 'basicConstraints=critical,CA:TRUE'];
    this.#openssl(
      'req',
      '-x509',
      ...NEW_KEY,
      '-keyout',
      'ca.key',
      '-out',
      'ca.pem',
      '-days',
      '2',
      ...subject,
    );
  }

  get text(): string {
    return readFileSync(this.certificate, 'utf8');
  }

  certify(name: string): { readonly key: string; readonly cert: string } {
    const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
    const by = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-days', '2'];
    this.#openssl('req', '-x509', ...NEW_KEY, '-keyout', 'host.key', '-out', 'host.pem', ...by, ...subject);
    const read = (file: string): string => readFileSync(join(this.#folder, file), 'utf8');
    return { key: read('host.key'), cert: read('host.pem') };
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #openssl(...args: readonly string[]): void {
    execFileSync('openssl', args, { cwd: this.#folder, stdio: 'pipe' });
  }
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
