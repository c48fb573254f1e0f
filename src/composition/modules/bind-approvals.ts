import type { ContainerModuleLoadOptions } from 'inversify';
import { OpenQuestions } from '../../application/permission/open-questions.js';
import { ApprovalDesk } from '../../application/ports/permission/approval-desk.js';
import { Logger } from '../../application/ports/system/logger.js';
import { Sessions } from '../../application/session/sessions.js';
import { pinPath } from '../../infrastructure/approval/approval-door.js';
import type { AskingServer } from '../../infrastructure/approval/approval-listener.js';
import type { ShownQuestion } from '../../infrastructure/approval/approval-messages.js';
import { LocalApprovalDesk } from '../../infrastructure/approval/local-approval-desk.js';
import type { Configuration } from '../configuration/configuration.js';

/** Questions that people answer outside of the client. */
export function bindApprovals(
  bind: ContainerModuleLoadOptions['bind'],
  { settings, stateFolder, workspace }: Configuration,
): void {
  bind(LocalApprovalDesk)
    .toResolvedValue(
      (questions, logger, sessions) => {
        sessions.onEnd(({ id }) => questions.endSession(id));
        // Loaded with the first question: most servers never ask one.
        const listener = async () => {
          const { openApprovals } = await import('../../infrastructure/approval/open-approvals.js');
          return openApprovals(stateFolder, asking(questions, workspace));
        };
        return new LocalApprovalDesk(settings.consent, pinPath(stateFolder), listener, logger);
      },
      [OpenQuestions, Logger, Sessions],
    )
    .inSingletonScope();
  bind(ApprovalDesk).toService(LocalApprovalDesk);
}

function asking(questions: OpenQuestions, workspace: string): AskingServer {
  return {
    questions: () => ({
      server: { pid: process.pid, workspace },
      questions: questions.list().map(
        ({ id, subject, mode, ways, form, openedAt, expiresAt }): ShownQuestion => ({
          ...form,
          id,
          caller: subject.callerId,
          mode,
          ways,
          openedAt,
          expiresAt,
        }),
      ),
    }),
    answer: ({ id, ...answer }) => questions.answer(id, answer),
  };
}
