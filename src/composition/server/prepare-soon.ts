import type { Container } from 'inversify';
import { PrepareCommands } from '../../application/command/prepare-commands.js';
import { Timer } from '../../application/ports/system/timer.js';
import type { Session } from '../../domain/session/session.js';

/** Long after the client has its first answers, long before an agent has thought of a command. */
const AHEAD_MS = 300;

export interface Preparation {
  /** Calls it off; resolves when nothing of it runs any more. */
  end(): Promise<void>;
}

/** Nothing that it needs is made before: the client waits for its first answers. */
export function prepareSoon(container: Container, session: Session): Preparation {
  const over = new AbortController();
  let running = Promise.resolve();
  const callOff = container.get(Timer).someTimeAfter(AHEAD_MS, () => {
    // Whatever is wrong is told to the first command, which does all of it again.
    running = container
      .get(PrepareCommands)
      .prepare(session, over.signal)
      .catch(() => undefined);
  });
  return {
    end: () => {
      callOff();
      over.abort();
      return running;
    },
  };
}
