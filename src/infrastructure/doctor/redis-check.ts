import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import type { DoctorCheck, DoctorFinding } from '../../application/ports/system/doctor-check.js';

const PATIENCE_MS = 3000;
const REDIS_PORT = 6379;

/** Asks the server at the address for a sign of life. Nothing is stored, and no password is sent or shown. */
export class RedisCheck implements DoctorCheck {
  readonly name = 'redis';

  constructor(private readonly url: string | undefined) {}

  async run(): Promise<DoctorFinding> {
    if (this.url === undefined) return { status: 'ok', detail: 'not configured: everything is embedded' };
    if (!URL.canParse(this.url)) return this.wanting('the address', 'is none');
    const { protocol, hostname, port } = new URL(this.url);
    const place = `${hostname}:${port === '' ? REDIS_PORT : port}`;
    const secure = protocol === 'rediss:';
    const answer = await ping(hostname, port === '' ? REDIS_PORT : Number(port), secure);
    return answer === undefined
      ? { status: 'ok', detail: `answers at ${place}` }
      : this.wanting(place, answer);
  }

  private wanting(place: string, why: string): DoctorFinding {
    return {
      status: 'missing',
      detail: `${place} ${why}`,
      remedy: 'Start Redis there, correct redis.url, or remove it to keep everything embedded.',
    };
  }
}

/** Undefined when a Redis answered, even one that wants a password first; else why not. */
function ping(host: string, port: number, secure: boolean): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket: Socket = secure ? connectSecurely({ host, port }) : connect({ host, port });
    const end = (answer: string | undefined) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(PATIENCE_MS, () => end('does not answer'));
    socket.once('error', (error) => end(`cannot be reached (${error.message})`));
    socket.once('data', (bytes) => end(/^[+-]/.test(bytes.toString('latin1')) ? undefined : 'is no Redis'));
    socket.once('close', () => end('hung up'));
    socket.write('PING\r\n');
  });
}
