import type { ContainerModuleLoadOptions } from 'inversify';
import { OperateServer } from '../../application/operation/operate-server.js';
import { WatchServer } from '../../application/operation/watch-server.js';
import { OpenQuestions } from '../../application/permission/open-questions.js';
import { ApprovalDesk } from '../../application/ports/permission/approval-desk.js';
import { Logger } from '../../application/ports/system/logger.js';
import { Sessions } from '../../application/session/sessions.js';
import { pinPath } from '../../infrastructure/approval/approval-door.js';
import type { AskingServer } from '../../infrastructure/approval/approval-listener.js';
import { LocalApprovalDesk } from '../../infrastructure/approval/local-approval-desk.js';
import type { Configuration } from '../configuration/configuration.js';

/** Questions that people answer outside of the client. */
export function bindApprovals(
  bind: ContainerModuleLoadOptions['bind'],
  { settings, stateFolder, workspace }: Configuration,
): void {
  bind(OperateServer).toSelf().inSingletonScope();
  bind(WatchServer).toSelf().inSingletonScope();
  bind(LocalApprovalDesk)
    .toResolvedValue(
      (questions, logger, sessions, operate, watch) => {
        sessions.onEnd(({ id }) => questions.endSession(id));
        // Loaded with the first question: most servers never ask one.
        const listener = async () => {
          const { openApprovals } = await import('../../infrastructure/approval/open-approvals.js');
          return openApprovals(stateFolder, asking(operate, watch, workspace));
        };
        return new LocalApprovalDesk(settings.consent, pinPath(stateFolder), listener, logger);
      },
      [OpenQuestions, Logger, Sessions, OperateServer, WatchServer],
    )
    .inSingletonScope();
  bind(ApprovalDesk).toService(LocalApprovalDesk);
}

function asking(operate: OperateServer, watch: WatchServer, workspace: string): AskingServer {
  const questions = () => ({ server: { pid: process.pid, workspace }, questions: operate.open() });
  return {
    questions,
    answer: ({ id, ...answer }) => operate.answer(id, answer),
    state: () => ({ ...questions(), ...watch.view() }),
    policy: () => operate.policy(),
    stop: (kind, id) => watch.stop(kind, id),
    tryCall: (tool, args) => operate.tryCall(tool, args),
  };
}
