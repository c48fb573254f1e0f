import { ApprovedCalls } from '../../application/permission/approved-calls.js';
import { AuthoriseCall } from '../../application/permission/authorise-call.js';
import { CountDeletion } from '../../application/permission/count-deletion.js';
import { DecideCall } from '../../application/permission/decide-call.js';
import { elicitConsent } from '../../application/permission/elicit-consent.js';
import { ExplainPermissionHandler } from '../../application/permission/explain-permission.js';
import { ObtainConsentHandler } from '../../application/permission/obtain-consent.js';
import { OpenQuestions } from '../../application/permission/open-questions.js';
import { CommandParser } from '../../application/ports/command/command-parser.js';
import { ProgramLocator } from '../../application/ports/command/program-locator.js';
import { ApprovalDesk } from '../../application/ports/permission/approval-desk.js';
import { ConsentMemory } from '../../application/ports/permission/consent-memory.js';
import { ConsentPrompt } from '../../application/ports/permission/consent-prompt.js';
import { PolicySource } from '../../application/ports/permission/policy-source.js';
import { TrustStore } from '../../application/ports/permission/trust-store.js';
import { Logger } from '../../application/ports/system/logger.js';
import { Turns } from '../../application/ports/system/turns.js';
import { Sessions } from '../../application/session/sessions.js';
import { pinPath } from '../../infrastructure/approval/approval-door.js';
import type { AskingServer } from '../../infrastructure/approval/approval-listener.js';
import type { ShownQuestion } from '../../infrastructure/approval/approval-messages.js';
import { LocalApprovalDesk } from '../../infrastructure/approval/local-approval-desk.js';
import { InMemoryConsentMemory } from '../../infrastructure/permission/in-memory-consent-memory.js';
import type { Configuration } from '../configuration/configuration.js';
import { FollowedPolicy } from '../server/followed-policy.js';
import { bindStage } from '../server/lifecycle.js';
import { type Bind, bindSelves, type ServerParts } from './concept-module.js';

/** What the policy says about a call, and what people are asked. */
export function permissionModule(bind: Bind, { configuration }: ServerParts): void {
  const { workspace, named, policy, trust } = configuration;
  bind(PolicySource).toConstantValue(policy);
  bind(TrustStore).toConstantValue(trust);
  bind(FollowedPolicy)
    .toResolvedValue((logger) => new FollowedPolicy(configuration, logger), [Logger])
    .inSingletonScope();
  bind(DecideCall)
    .toResolvedValue(
      (commands, programs, turns) =>
        new DecideCall({ root: workspace, named }, commands, programs, turns, process.platform === 'linux'),
      [CommandParser, ProgramLocator, Turns],
    )
    .inSingletonScope();
  bind(ConsentMemory).to(InMemoryConsentMemory).inSingletonScope();
  bind(ConsentPrompt).toConstantValue(elicitConsent);
  bindSelves(bind, ApprovedCalls, AuthoriseCall, CountDeletion);
  bindSelves(bind, ExplainPermissionHandler, ObtainConsentHandler, OpenQuestions);
  bindStage(bind, 'policy', {
    begin: (server) => server.get(FollowedPolicy).begin(),
    end: (server) => server.get(FollowedPolicy).end(),
  });
  bindApprovals(bind, configuration);
}

/** Questions that people answer outside of the client. */
function bindApprovals(bind: Bind, { settings, stateFolder, workspace }: Configuration): void {
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
  bindStage(bind, 'approvals', { end: (server) => server.get(LocalApprovalDesk).close() });
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
