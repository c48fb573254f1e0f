import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A package index for pip on loopback, with wheels made here: a wheel is an archive with two descriptions. */
export class WheelIndex {
  readonly #wheels = new Map<string, Map<string, Buffer>>();
  readonly #folder = mkdtempSync(join(tmpdir(), 'castellan-wheels-'));
  #server: Server | undefined;

  get url(): string {
    const address = this.#server?.address();
    if (typeof address !== 'object' || address === null) throw new Error('the index does not listen');
    return `http://127.0.0.1:${address.port}/simple/`;
  }

  async listen(): Promise<void> {
    const server = createServer((request, response) => {
      const [, , name = '', file] = (request.url ?? '').split('/');
      const wheels = this.#wheels.get(name);
      const wheel = wheels?.get(file ?? '');
      if (wheel !== undefined) response.end(wheel);
      else if (wheels === undefined) response.writeHead(404).end();
      else {
        response.setHeader('content-type', 'text/html');
        response.end([...wheels.keys()].map((each) => `<a href="${each}">${each}</a>`).join('\n'));
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.#server = server;
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Files are named from site-packages on. */
  add(name: string, version: string, files: Readonly<Record<string, string>>): void {
    const folder = mkdtempSync(join(this.#folder, 'wheel-'));
    const about = `${name}-${version}.dist-info`;
    const all: Record<string, string> = {
      [`${name}/__init__.py`]: `version = '${version}'\n`,
      ...files,
      [`${about}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n`,
      [`${about}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    };
    all[`${about}/RECORD`] = [...Object.keys(all), `${about}/RECORD`].map((path) => `${path},,\n`).join('');
    for (const [path, text] of Object.entries(all)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const file = `${name}-${version}-py3-none-any.whl`;
    execFileSync('python3', ['-m', 'zipfile', '-c', file, ...new Set(Object.keys(all).map(topOf))], {
      cwd: folder,
    });
    // pip asks by the normalized name.
    const asked = name.replaceAll('_', '-');
    const wheels = this.#wheels.get(asked) ?? new Map<string, Buffer>();
    wheels.set(file, readFileSync(join(folder, file)));
    this.#wheels.set(asked, wheels);
  }
}

function topOf(path: string): string {
  return path.split('/', 1)[0] ?? path;
}
