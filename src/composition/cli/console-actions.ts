import { TailAuditHandler } from '../../application/audit/tail-audit.js';
import { VerifyAuditHandler } from '../../application/audit/verify-audit.js';
import { asError } from '../../domain/thrown.js';
import { AskingServers } from '../../infrastructure/approval/asking-servers.js';
import { PersonAtTerminal } from '../../infrastructure/approval/person-at-terminal.js';
import { PinFile } from '../../infrastructure/approval/pin-file.js';
import { ReachableServers } from '../../infrastructure/approval/reachable-servers.js';
import { FileAuditReader } from '../../infrastructure/observability/file-audit-reader.js';
import { resolveStateFolder } from '../../infrastructure/state/state-folder.js';
import { type ConsolePages, consoleCommand } from '../../presentation/cli/console-command.js';
import { processOutput } from '../../presentation/cli/output.js';
import type { ConsoleOptions } from '../../presentation/cli/program/command-actions.js';
import { ConsoleAccess } from '../../presentation/console/console-access.js';
import { ConsoleHandler } from '../../presentation/console/console-handler.js';
import { ConsoleViews } from '../../presentation/console/console-views.js';
import { HttpListener } from '../../presentation/mcp/http/http-listener.js';
import { orThrow } from '../configuration/configuration-error.js';

const HOST = '127.0.0.1';
const GRACE_MS = 500;

/** Serves the pages for all servers of this user until the person ends it. */
export async function openConsole(options: ConsoleOptions): Promise<number> {
  const stateFolder = orThrow(resolveStateFolder(process.env));
  const person = PersonAtTerminal.open();
  try {
    const pin = new PinFile(stateFolder);
    const unlock = {
      pinSet: pin.isSet(),
      unlock: (given: string) => pin.unlock(given),
      serve: (key: string) => servePages(stateFolder, key, options.port ?? 0),
    };
    return await consoleCommand(unlock, person, processOutput);
  } finally {
    person?.close();
  }
}

/** The pages of whoever has unlocked the key, on a port of their own that only this machine reaches. */
export async function servePages(stateFolder: string, key: string, port: number): Promise<ConsolePages> {
  const audit = new FileAuditReader(stateFolder);
  const [tail, verify] = [new TailAuditHandler(audit), new VerifyAuditHandler(audit)];
  const views = new ConsoleViews({
    servers: new ReachableServers(new AskingServers(stateFolder), key),
    records: (count, filter) => tail.handle({ count, ...filter }),
    verify: () => verify.handle({}),
  });
  const access = new ConsoleAccess();
  let host = '';
  const handler = new ConsoleHandler(views, access, () => host);
  const listener = await HttpListener.open(
    (request, response) =>
      void handler.handle(request, response).catch((error: unknown) => response.destroy(asError(error))),
    { host: HOST, port },
  );
  host = new URL(listener.url(HOST)).host;
  return {
    link: () => `http://${host}${access.link()}`,
    close: async () => {
      handler.close();
      await listener.close(GRACE_MS);
    },
  };
}
