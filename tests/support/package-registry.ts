import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

interface Version {
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly tarball: Buffer;
}

/** Names that packages ship and that people obey, or keep secret, at the root of a project. */
export const SHIPPED: Readonly<Record<string, string>> = {
  '.github/workflows/ci.yml': 'on: push\n',
  '.github/copilot-instructions.md': 'x\n',
  '.vscode/settings.json': '{}\n',
  '.travis.yml': 'language: node_js\n',
  'CLAUDE.md': 'Do as you like.\n',
  '.env': 'TOKEN=example\n',
  'test/server.pem': 'not a key\n',
  'test/.aws/credentials': 'example\n',
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/config': '[core]\n\tbare = false\n',
  '.git/hooks/pre-commit': '#!/bin/sh\n',
  '.git/refs/heads/main': `${'0'.repeat(40)}\n`,
  '.git/objects/info/packs': '\n',
};

/** An npm registry on loopback with packages made here; others come from `upstream`, where one is given. */
export class PackageRegistry {
  readonly #packages = new Map<string, Map<string, Version>>();
  readonly #folder = mkdtempSync(join(tmpdir(), 'castellan-registry-'));
  #server: Server | undefined;

  constructor(private readonly upstream?: string) {}

  get url(): string {
    const address = this.#server?.address();
    if (typeof address !== 'object' || address === null) throw new Error('the registry does not listen');
    return `http://127.0.0.1:${address.port}`;
  }

  async listen(): Promise<void> {
    const server = createServer((request, response) => this.#answer(request.url ?? '/', response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.#server = server;
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** The files as they are, also those that `npm pack` would leave out. */
  add(name: string, version: string, files: Readonly<Record<string, string>>, more: object = {}): void {
    const manifest = { name, version, main: 'index.js', ...more };
    const folder = mkdtempSync(join(this.#folder, 'package-'));
    const all = { 'index.js': `module.exports = '${name}@${version}';\n`, ...files };
    for (const [path, text] of Object.entries({ ...all, 'package.json': JSON.stringify(manifest) })) {
      const file = join(folder, 'package', path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text, { mode: path.startsWith('bin/') ? 0o755 : 0o644 });
    }
    execFileSync('tar', ['czf', 'package.tgz', '--owner=0', '--group=0', 'package'], { cwd: folder });
    const versions = this.#packages.get(name) ?? new Map<string, Version>();
    versions.set(version, { manifest, tarball: readFileSync(join(folder, 'package.tgz')) });
    this.#packages.set(name, versions);
  }

  #answer(url: string, response: ServerResponse): void {
    const [, name = '', file] = /^\/([^/?]+)(?:\/-\/([^/?]+)\.tgz)?/.exec(decodeURIComponent(url)) ?? [];
    const version = file?.slice(name.length + 1);
    const versions = this.#packages.get(name);
    const asked = version === undefined ? undefined : versions?.get(version);
    if (asked !== undefined) response.end(asked.tarball);
    else if (versions !== undefined) this.#describe(name, versions, response);
    else if (this.upstream === undefined) response.writeHead(404).end('{}');
    else response.writeHead(302, { location: `${this.upstream}${url}` }).end();
  }

  #describe(name: string, versions: ReadonlyMap<string, Version>, response: ServerResponse): void {
    const described = [...versions].map(([version, { manifest, tarball }]) => {
      const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
      const dist = { tarball: `${this.url}/${name}/-/${name}-${version}.tgz`, integrity };
      return [version, { ...manifest, dist }];
    });
    const latest = [...versions.keys()].at(-1);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ name, 'dist-tags': { latest }, versions: Object.fromEntries(described) }));
  }
}
