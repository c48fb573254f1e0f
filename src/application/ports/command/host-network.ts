import type { HostAccess } from '../../../domain/permission/network/host-access.js';

/** What became of an attempt of a command to reach a host. */
export interface HostConnection {
  readonly host: string;
  /** undefined: the name was looked up and nothing more. */
  readonly port: number | undefined;
  readonly outcome: 'reached' | 'refused' | 'failed';
  /** Present unless it was reached. */
  readonly why?: string;
  /** The policy itself does not list the host: a line in it would help. */
  readonly unlisted?: boolean;
  readonly sent: number;
  readonly received: number;
  readonly durationMs: number;
  /** How often the same was refused; absent: once. */
  readonly times?: number;
}

/** The network of a command that reaches listed hosts only. */
export interface HostNetwork {
  readonly access: HostAccess;
  /** Told of each refusal in its network, whichever command it was. */
  onRefused(connection: HostConnection): void;
  /** Told of each connection; `alone`: no other command of this network runs, so that it is this command's. */
  onConnection(connection: HostConnection, alone: boolean): void;
  /** What to tell about hosts that were refused so far, with the lines that would allow them. */
  explain(): string | undefined;
}
