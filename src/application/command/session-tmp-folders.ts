import { inject, injectable } from 'inversify';
import type { Session } from '../../domain/session/session.js';
import { CommandRunner } from '../ports/command/command-runner.js';
import type { OwnTmpFolders } from '../ports/session/own-tmp-folders.js';
import { SessionCommands } from './session-commands.js';

/** Takes them from what runs the commands, and has them end with the session, though no command ever ran. */
@injectable()
export class SessionTmpFolders implements OwnTmpFolders {
  constructor(
    @inject(CommandRunner) private readonly runner: CommandRunner,
    @inject(SessionCommands) private readonly sessions: SessionCommands,
  ) {}

  async of(session: Session): Promise<string | undefined> {
    const folder = await this.runner.tmpOf(session.id);
    if (folder !== undefined) this.sessions.keep(session);
    return folder;
  }
}
