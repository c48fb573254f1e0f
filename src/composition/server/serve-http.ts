import { Logger } from '../../application/ports/system/logger.js';
import { TokenFile } from '../../infrastructure/auth/token-file.js';
import { resolveStateFolder } from '../../infrastructure/state/state-folder.js';
import { httpHelp } from '../../presentation/cli/connect-help.js';
import { processOutput } from '../../presentation/cli/output.js';
import type { GlobalOptions, ServeOptions } from '../../presentation/cli/program/command-actions.js';
import { ConfigurationError, orThrow } from '../configuration/configuration-error.js';
import type { Castellan } from './castellan.js';
import { firstCall } from './first-call.js';
import type { Listening } from './http-service.js';
import { openHere, outliveStrayErrors } from './serve.js';

/** Serves over HTTP until a signal comes; resolves with the exit code when everything is answered. */
export async function serveHttp(where: GlobalOptions, options: ServeOptions): Promise<number> {
  const castellan = await openHere(where);
  outliveStrayErrors(castellan.container.get(Logger));
  const signalled = new Promise<number>((resolve) => {
    process.once('SIGINT', () => resolve(130));
    process.once('SIGTERM', () => resolve(0));
  });
  try {
    const listening = await castellan.listen({
      ...(options.host !== undefined && { host: options.host }),
      ...(options.port !== undefined && { port: options.port }),
    });
    processOutput.out(httpHelp(listening));
    if (process.env.CASTELLAN_TRY === '1') await showFirstCall(castellan, listening);
  } catch (error) {
    await castellan.close();
    throw listenProblem(error);
  }
  const code = await signalled;
  await castellan.close();
  return code;
}

async function showFirstCall(castellan: Castellan, { url, token }: Listening): Promise<void> {
  const { CASTELLAN_TOKEN: given } = process.env;
  const answer = await firstCall(castellan, url, token ?? (given === '' ? undefined : given));
  processOutput.out(
    `\nOne call, as a client would make it: echo {"message":"hello"}\n${answer}\n\nCtrl-C ends the server.`,
  );
}

/** Makes another token for the servers of this user, and shows it this once. */
export async function rotateToken(): Promise<number> {
  const folder = orThrow(resolveStateFolder(process.env));
  const { made = '' } = orThrow(await new TokenFile(folder).rotate());
  processOutput.out(`${made}\n\nIt is not stored and cannot be shown again. Restart the server to use it.`);
  return 0;
}

function addressOf({ message }: Error): string {
  return message.split(' ').at(-1) ?? message;
}

function listenProblem(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  switch (error.code) {
    case 'EADDRINUSE':
      return new ConfigurationError(
        `${addressOf(error)} is in use by another server; choose another --port.`,
      );
    case 'EADDRNOTAVAIL':
    case 'EACCES':
      return new ConfigurationError(`${error.message}. Choose another --host or --port.`);
    default:
      return error;
  }
}
