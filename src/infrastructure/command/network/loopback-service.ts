import type { Socket } from 'node:net';
import type { HostConnection } from '../../../application/ports/command/host-network.js';
import type { Outside } from './outside.js';
import { isOwnPort } from './own-ports.js';
import { DownloadRing, relay } from './relay.js';

const ADDRESSES = ['127.0.0.1', '::1'];
const NO_TRAFFIC = { sent: 0, received: 0, durationMs: 0 };

/** Connects commands with the services of this machine that the policy names, never with the server itself. */
export class LoopbackService {
  constructor(
    private readonly outside: Outside,
    private readonly report: (connection: HostConnection) => void,
  ) {}

  async serve(socket: Socket, port: number): Promise<void> {
    const target = { host: 'localhost', port };
    const fail = (outcome: 'refused' | 'failed', why: string): void => {
      this.report({ ...target, outcome, why, ...NO_TRAFFIC });
      socket.resetAndDestroy();
    };
    if (isOwnPort(port)) return fail('refused', 'the server itself waits at this port');
    for (const address of ADDRESSES) {
      const ring = new DownloadRing();
      const upstream = this.outside.connect(address, port, ring.onread);
      if (!(await isConnected(upstream))) continue;
      const begun = performance.now();
      const traffic = await relay(socket, upstream, { prefix: Buffer.alloc(0), ring });
      return this.report({
        ...target,
        outcome: 'reached',
        ...traffic,
        durationMs: performance.now() - begun,
      });
    }
    fail('failed', 'nothing waits at this port');
  }
}

function isConnected(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.on('error', () => resolve(false));
  });
}
