import type { Container } from 'inversify';
import { PrepareCommands } from '../../application/command/prepare-commands.js';
import { Timer } from '../../application/ports/system/timer.js';
import type { Session } from '../../domain/session/session.js';

/** Long after the client has its first answers, long before an agent has thought of a command. */
const AHEAD_MS = 300;

/**
 * Nothing that it needs is made before: the client waits for its first answers. What it returns resolves when nothing
 * of it runs; nothing begins once `over` is aborted.
 */
export function prepareSoon(container: Container, session: Session, over: AbortSignal): () => Promise<void> {
  let running = Promise.resolve();
  const callOff = container.get(Timer).someTimeAfter(AHEAD_MS, () => {
    // Whatever is wrong is told to the first command, which does all of it again.
    running = container
      .get(PrepareCommands)
      .prepare(session, over)
      .catch(() => undefined);
  });
  over.addEventListener('abort', callOff, { once: true });
  return () => running;
}
