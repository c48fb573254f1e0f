import { Logger } from '../../application/ports/system/logger.js';
import { asError } from '../../domain/thrown.js';
import { hasErrno } from '../../infrastructure/state/errno.js';
import type { GlobalOptions } from '../../presentation/cli/program/command-actions.js';
import type { CastellanOptions } from '../configuration/castellan-options.js';
import { configureEnvironment } from '../configuration/configure-environment.js';
import type { Castellan } from './castellan.js';
import { startCastellan } from './create-castellan.js';
import { standardInput } from './standard-input.js';

/** Longer than a client takes for its first questions. */
const HOOKS_AFTER_MS = 300;

/** The prefix of the settings is the application's own default: in the environment before anything reads it there. */
export function openHere(where: GlobalOptions & Pick<CastellanOptions, 'logLevel'>): Promise<Castellan> {
  return startCastellan(where, ({ settings }) => configureEnvironment(process.env, settings.toolPrefix));
}

/** Serves the client that started this process; resolves with the exit code. */
export async function serve(where: GlobalOptions): Promise<number> {
  const castellan = await openHere(where);
  let code = 0;
  const interrupted = (signal: NodeJS.Signals) => {
    code = signal === 'SIGINT' ? 130 : 0;
    void castellan.close();
  };
  outliveStrayErrors(castellan.container.get(Logger));
  process.once('SIGINT', interrupted);
  process.once('SIGTERM', interrupted);
  const input = standardInput();
  const hooks = answerHooksSoon(castellan, where);
  await castellan.serveStdio(input);
  await hooks.close();
  await castellan.close();
  // A client that keeps its end open must not keep us alive.
  input.destroy();
  return code;
}

/**
 * Hooks of the client that started us are answered here, once its first answers are made. With options on the line it
 * is another policy than theirs.
 */
function answerHooksSoon(castellan: Castellan, where: GlobalOptions): { close(): Promise<void> } {
  let listening: Promise<{ close(): void } | undefined> = Promise.resolve(undefined);
  const { workspace: _, ...others } = where;
  const timer = setTimeout(() => {
    if (Object.values(others).every((value) => value === undefined))
      listening = import('./hook-listening.js').then(({ listenForHooks }) => listenForHooks(castellan));
  }, HOOKS_AFTER_MS).unref();
  return {
    close: async () => {
      clearTimeout(timer);
      (await listening)?.close();
    },
  };
}

/**
 * What a tool left behind, a timer that throws or a promise that nobody awaits, belongs to no call and would end the
 * process with every call under way. Only here, where the process is ours: an embedder decides about its own.
 */
export function outliveStrayErrors(logger: Logger): void {
  const log = (what: string) => (thrown: unknown) => {
    const error = asError(thrown);
    // Whoever reads our output is gone; saying so would be the next such error.
    if (hasErrno(thrown, 'EPIPE')) return;
    logger.error(`${what} outside of every call; the server keeps running`, { error });
  };
  process.on('uncaughtException', log('Something was thrown'));
  process.on('unhandledRejection', log('A promise was rejected'));
}
