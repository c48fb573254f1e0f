import { access } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { DoctorCheck, DoctorFinding } from '../../application/ports/system/doctor-check.js';
import type { HttpSettings } from '../config/settings.js';
import { errnoOf } from '../state/errno.js';

/** Whether `castellan serve --http` could listen; nothing is served. */
export class HttpCheck implements DoctorCheck {
  readonly name = 'http';

  constructor(private readonly settings: Pick<HttpSettings, 'host' | 'port' | 'tls'>) {}

  async run(): Promise<DoctorFinding> {
    const { host, port, tls } = this.settings;
    for (const file of tls === undefined ? [] : [tls.cert, tls.key]) {
      const unreadable = await access(file).then(() => undefined, errnoOf);
      if (unreadable === undefined) continue;
      const remedy = 'Correct http.tls in castellan.yaml, or let this user read the file.';
      return { status: 'missing', detail: `${file} cannot be read (${unreadable})`, remedy };
    }
    const why = await whyNotListening(host, port);
    if (why === undefined) return { status: 'ok', detail: `${host}:${port} is free` };
    const taken = why === 'EADDRINUSE';
    return {
      status: 'warn',
      detail: `${host}:${port} ${taken ? 'is taken; a server may be running there' : `cannot be listened on (${why})`}`,
      remedy: taken
        ? 'For another one: castellan serve --http --port 7339'
        : 'Choose another address: castellan serve --http --host 127.0.0.1',
    };
  }
}

function whyNotListening(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(errnoOf(error) ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
