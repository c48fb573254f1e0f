import { setTimeout as sleep } from 'node:timers/promises';
import { TailAuditHandler } from '../../application/audit/tail-audit.js';
import { VerifyAuditHandler } from '../../application/audit/verify-audit.js';
import { ExplainPermissionHandler } from '../../application/permission/explain-permission.js';
import { FileAuditReader } from '../../infrastructure/observability/file-audit-reader.js';
import { FileTrustStore } from '../../infrastructure/policy/file-trust-store.js';
import { resolveStateFolder } from '../../infrastructure/state/state-folder.js';
import { processOutput } from '../../presentation/cli/output.js';
import type { CommandActions, GlobalOptions } from '../../presentation/cli/program/command-actions.js';
import { readConfiguration } from '../configuration/configuration.js';
import { orThrow } from '../configuration/configuration-error.js';
import { findPlaces } from '../configuration/configuration-places.js';
import type { DoctorSubject } from '../modules/doctor.module.js';
import { withDeclaredTools } from '../server/create-castellan.js';
import { checkPolicy } from './check-policy.js';
import { SELF } from './self.js';
import { givenJson, toolNamesOf, withCastellan } from './serving-actions.js';

type OperatorActions = Pick<
  CommandActions,
  | 'init'
  | 'install'
  | 'uninstall'
  | 'hook'
  | 'trust'
  | 'policyCheck'
  | 'policyExplain'
  | 'auditVerify'
  | 'auditTail'
  | 'git'
  | 'auditExport'
  | 'auditPrune'
  | 'doctor'
>;

/** For whoever runs the server. None of it is part of the start, so each command is loaded when it is asked for. */
export const operatorActions: OperatorActions = {
  init: async (where, options) => {
    const { workspace } = findPlaces(where);
    const [{ initFiles }, { excludeFromGit }] = await Promise.all([
      import('./init-files.js'),
      import('./git-exclude.js'),
    ]);
    const { initCommand } = await import('../../presentation/cli/init-command.js');
    const files = initFiles(workspace, options.profile);
    const surroundings = {
      files,
      trust: trustStore(),
      command: SELF,
      workspace,
      excludeFromGit: () => excludeFromGit(workspace),
    };
    return initCommand(surroundings, options, processOutput);
  },
  install: async (where, client, options) => {
    const { changeClient } = await import('./install-client.js');
    return changeClient('install', where, client, options);
  },
  uninstall: async (where, client, options) => {
    const { changeClient } = await import('./install-client.js');
    return changeClient('uninstall', where, client, options);
  },
  hook: async (where, client) => {
    const { hookAction } = await import('./hook-actions.js');
    return hookAction(where, client);
  },
  trust: async (where, file, options) => {
    const { trustCommand } = await import('../../presentation/cli/trust-command.js');
    const { trustSurroundings } = await import('./trust-files.js');
    return trustCommand(trustSurroundings(where, file, stateFolder()), options, processOutput);
  },
  policyCheck: async (where, file, options) => {
    const { policyCheckCommand } = await import('../../presentation/cli/policy-check-command.js');
    const report = await checkPolicy(file === undefined ? where : { ...where, policy: file });
    return policyCheckCommand(report, options, processOutput);
  },
  policyExplain: (where, tool, json, options) =>
    withCastellan(where, async ({ container }) => {
      const { policyExplainCommand } = await import('../../presentation/cli/policy-explain-command.js');
      const handler = container.get(ExplainPermissionHandler);
      const given = await givenJson(json);
      const { workspace } = findPlaces(where);
      return policyExplainCommand(
        (query) => handler.handle(query),
        tool,
        given,
        { ...options, workspace, toolNames: toolNamesOf(container) },
        processOutput,
      );
    }),
  auditVerify: async (file, options) => {
    const { auditVerifyCommand } = await import('../../presentation/cli/audit-verify-command.js');
    const handler = new VerifyAuditHandler(new FileAuditReader(stateFolder()));
    return auditVerifyCommand((...query) => handler.handle(...query), file, options, processOutput);
  },
  auditTail: async (file, options) => {
    const { auditTailCommand } = await import('../../presentation/cli/audit-tail-command.js');
    const handler = new TailAuditHandler(new FileAuditReader(stateFolder()));
    const clock = { now: Date.now, wait: (ms: number) => sleep(ms, true) };
    return auditTailCommand((query) => handler.handle(query), file, options, processOutput, clock);
  },
  git: async (where, work, argument) => {
    const { gitCommand } = await import('../../presentation/cli/git-command.js');
    const { withAirlock } = await import('./git-airlock.js');
    return withAirlock(where, (git) => gitCommand(git, work, argument, processOutput));
  },
  auditExport: async (folder, options) => {
    const { auditExportCommand } = await import('../../presentation/cli/audit-archive-command.js');
    return auditExportCommand(await auditArchive(), folder, options, Date.now(), processOutput);
  },
  auditPrune: async (options) => {
    const { auditPruneCommand } = await import('../../presentation/cli/audit-archive-command.js');
    return auditPruneCommand(await auditArchive(), options, Date.now(), processOutput);
  },
  doctor: async (where, options) => {
    const { doctorCommand } = await import('../../presentation/cli/doctor-command.js');
    const { doctorChecks } = await import('../modules/doctor.module.js');
    const subject = await doctorSubject(where);
    const { configuration } = subject;
    if ('problem' in configuration) return doctorCommand(doctorChecks(subject), options, processOutput);
    const { withKnowledgeProblems } = await import('./knowledge-problems.js');
    return withKnowledgeProblems(configuration, (knowledge) =>
      doctorCommand(doctorChecks({ ...subject, knowledge }), options, processOutput),
    );
  },
};

function stateFolder(): string {
  return orThrow(resolveStateFolder(process.env));
}

async function auditArchive() {
  const { AuditArchive } = await import('../../infrastructure/observability/audit-archive.js');
  return new AuditArchive(stateFolder());
}

function trustStore(): FileTrustStore {
  return new FileTrustStore(stateFolder());
}

async function doctorSubject(where: GlobalOptions): Promise<DoctorSubject> {
  const state = resolveStateFolder(process.env);
  const configuration = await readConfiguration(await withDeclaredTools(where)).catch((error: unknown) => ({
    problem: error instanceof Error ? error.message : String(error),
  }));
  const stateFolder = state.success ? { folder: state.value } : { problem: state.error };
  return { configuration, workspace: workspaceOf(where), stateFolder };
}

function workspaceOf(where: GlobalOptions): DoctorSubject['workspace'] {
  try {
    return { folder: findPlaces(where).workspace };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
