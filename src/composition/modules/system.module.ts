import { isatty } from 'node:tty';
import { Redactor } from '../../application/ports/audit/redactor.js';
import { Clock } from '../../application/ports/system/clock.js';
import { IdSource } from '../../application/ports/system/id-source.js';
import { Logger, type LogLevel } from '../../application/ports/system/logger.js';
import { Timer } from '../../application/ports/system/timer.js';
import { Turns } from '../../application/ports/system/turns.js';
import { Workspace } from '../../application/ports/system/workspace.js';
import type { LogFormat } from '../../infrastructure/config/settings.js';
import { LazyLogger } from '../../infrastructure/observability/lazy-logger.js';
import type { LogSink } from '../../infrastructure/observability/log-sink.js';
import { RedactingLogger } from '../../infrastructure/observability/redacting-logger.js';
import { EVENT_LOOP } from '../../infrastructure/system/immediate-turns.js';
import { RandomIdSource } from '../../infrastructure/system/random-id-source.js';
import { SystemClock } from '../../infrastructure/system/system-clock.js';
import { SystemTimer } from '../../infrastructure/system/system-timer.js';
import { bindStage } from '../server/lifecycle.js';
import { standardError } from '../server/standard-error.js';
import type { Bind, ServerParts } from './concept-module.js';

const STDERR = 2;

/** Time, names, the log and the folder that is served. */
export function systemModule(bind: Bind, { configuration, options }: ServerParts): void {
  const { settings, live, workspace, named, files, readSettings } = configuration;
  bind(Workspace).toConstantValue({ root: workspace, named });
  bind(Timer).to(SystemTimer).inSingletonScope();
  bind(Clock).to(SystemClock).inSingletonScope();
  bind(Turns).toConstantValue(EVENT_LOOP);
  bind(IdSource).to(RandomIdSource).inSingletonScope();
  const level = () => options.logLevel ?? live.current.log.level;
  bind(Logger)
    .toResolvedValue(
      (redactor) =>
        new RedactingLogger(new LazyLogger(level, () => loadSink(level, settings.log.format)), redactor),
      [Redactor],
    )
    .inSingletonScope();
  bindStage(bind, 'settings', {
    begin: (server) => {
      if (files.config !== undefined) live.watch(files.config, readSettings, server.get(Logger));
    },
    end: () => live.close(),
  });
}

/** Words for a person at a terminal, lines for programs everywhere else. */
async function loadSink(level: () => LogLevel | 'silent', format: LogFormat | undefined): Promise<LogSink> {
  const watched = isatty(STDERR);
  if ((format ?? (watched ? 'text' : 'json')) === 'text') {
    const { terminalSink } = await import('../../infrastructure/observability/terminal-sink.js');
    return terminalSink({
      colour: watched && !process.env.NO_COLOR,
      // Where an error came from is for whoever looks for it.
      withStacks: () => ['trace', 'debug'].includes(level()),
      write: (line) => void standardError().write(line),
    });
  }
  const { pinoSink } = await import('../../infrastructure/observability/pino-sink.js');
  return pinoSink();
}
