import { Container, ContainerModule } from 'inversify';
import { bucketOf, DEFAULT_BUDGET } from '../../application/call/call-budget.js';
import { DoctorCheck } from '../../application/ports/system/doctor-check.js';
import { SharedState } from '../../application/ports/system/shared-state.js';
import { formatProblem } from '../../domain/file-problem.js';
import type { PermissionPolicy } from '../../domain/permission/policy/permission-policy.js';
import { LOCAL_STDIO } from '../../domain/session/caller.js';
import { DEFAULT_SETTINGS } from '../../infrastructure/config/settings.js';
import { BubblewrapCheck } from '../../infrastructure/doctor/bubblewrap-check.js';
import { CommandGroupsCheck } from '../../infrastructure/doctor/command-groups-check.js';
import { ConfigurationCheck } from '../../infrastructure/doctor/configuration-check.js';
import { GitCheck } from '../../infrastructure/doctor/git-check.js';
import { HttpCheck } from '../../infrastructure/doctor/http-check.js';
import { KnowledgeCheck } from '../../infrastructure/doctor/knowledge-check.js';
import { NodeCheck } from '../../infrastructure/doctor/node-check.js';
import { RateCheck } from '../../infrastructure/doctor/rate-check.js';
import { RedisCheck } from '../../infrastructure/doctor/redis-check.js';
import { RipgrepCheck } from '../../infrastructure/doctor/ripgrep-check.js';
import { StateFolderCheck } from '../../infrastructure/doctor/state-folder-check.js';
import { TrustCheck } from '../../infrastructure/doctor/trust-check.js';
import { WorkspaceCheck } from '../../infrastructure/doctor/workspace-check.js';
import { builtinTools } from '../../presentation/tools/builtin-tools.js';
import type { Configuration } from '../configuration/configuration.js';
import { trackedDenials } from '../configuration/tracked-denials.js';
import { createContainer } from '../container.js';
import { packageVersion } from '../server/package-version.js';
import { sharedModule } from './shared-module.js';

/** What there is to look at: a configuration, or why there is none. */
export interface DoctorSubject {
  readonly configuration: Configuration | { readonly problem: string };
  readonly workspace: { readonly folder: string } | { readonly problem: string };
  readonly stateFolder: { readonly folder: string } | { readonly problem: string };
  /** What agents are served from files; absent where the configuration cannot be used. */
  readonly knowledge?: KnowledgeProblems;
}

/** What is wrong with each kind of file, a line each. */
export interface KnowledgeProblems {
  decisions(): Promise<readonly string[]>;
  patterns(): Promise<readonly string[]>;
  prompts(): Promise<readonly string[]>;
  /** What is no mistake and yet keeps prompts from being of use. */
  readonly promptsNote?: string;
}

/** A new check is a line here. It must work while the configuration does not. */
export function doctorModule({
  configuration,
  workspace,
  stateFolder,
  knowledge,
}: DoctorSubject): ContainerModule {
  const read = 'problem' in configuration ? undefined : configuration;
  const snapshot = read?.policy.current();
  return new ContainerModule(({ bind }) => {
    bind(DoctorCheck).toConstantValue(new NodeCheck(process.versions.node));
    bind(DoctorCheck).toConstantValue(
      new WorkspaceCheck('problem' in stateFolder ? { waitsFor: 'state folder' } : workspace),
    );
    bind(DoctorCheck).toConstantValue(
      new ConfigurationCheck({
        ...('problem' in configuration && { problem: configuration.problem }),
        ...('problem' in workspace && { waitsFor: 'workspace' }),
        origin: (snapshot?.origin ?? []).map((name) => labelled(name, read?.labels.get(name))),
        doubtful: snapshot?.warnings.length ?? 0,
      }),
    );
    bind(DoctorCheck).toConstantValue(
      read === undefined
        ? notRead('settings')
        : new KnowledgeCheck('settings', async () => settingsProblems(read)),
    );
    bind(DoctorCheck).toConstantValue(read === undefined ? notRead('trust') : new TrustCheck(read.notices));
    bind(DoctorCheck).toConstantValue(deniedFilesCheck(read, workspace));
    bind(DoctorCheck).toConstantValue(snapshot === undefined ? notRead('rates') : rateCheck(snapshot.policy));
    bind(DoctorCheck).toConstantValue(new StateFolderCheck(stateFolder));
    bind(DoctorCheck).toConstantValue(
      new BubblewrapCheck(snapshot?.policy.couldAllow(LOCAL_STDIO, 'execute_command')),
    );
    bind(DoctorCheck).toConstantValue(new CommandGroupsCheck());
    bind(DoctorCheck).toConstantValue(
      'problem' in workspace ? notRead('git') : new GitCheck(workspace.folder),
    );
    bind(DoctorCheck).toConstantValue(new RipgrepCheck());
    bind(DoctorCheck).toConstantValue(new HttpCheck(read?.settings.http ?? DEFAULT_SETTINGS.http));
    bind(DoctorCheck).toConstantValue(read === undefined ? notRead('redis') : redisCheck(read));
    if (knowledge === undefined) return;
    bind(DoctorCheck).toConstantValue(new KnowledgeCheck('decisions', () => knowledge.decisions()));
    bind(DoctorCheck).toConstantValue(new KnowledgeCheck('patterns', () => knowledge.patterns()));
    bind(DoctorCheck).toConstantValue(
      new KnowledgeCheck('prompts', () => knowledge.prompts(), knowledge.promptsNote),
    );
  });
}

/** A deny hides files, and not what git has of them. */
function deniedFilesCheck(
  read: Configuration | undefined,
  workspace: DoctorSubject['workspace'],
): DoctorCheck {
  if (read === undefined || 'problem' in workspace) return notRead('denied files');
  const { policy } = read.policy.current();
  return new KnowledgeCheck('denied files', async () => trackedDenials(policy, workspace.folder));
}

function settingsProblems({ ignoredSettings, warnings }: Configuration): readonly string[] {
  return [...ignoredSettings, ...warnings.map(formatProblem)];
}

function rateCheck(policy: PermissionPolicy): RateCheck {
  const own = builtinTools.flatMap(({ name }) => {
    const rate = policy.rateOf(name);
    return rate === undefined ? [] : [[name, bucketOf(rate)] as const];
  });
  return new RateCheck(DEFAULT_BUDGET.rate, new Map(own));
}

function redisCheck(configuration: Configuration): RedisCheck {
  const isShared = configuration.settings.redis.url !== undefined;
  return new RedisCheck(packageVersion, isShared ? () => openShared(configuration) : undefined);
}

/** Takes part as an instance that serves nobody. */
async function openShared(configuration: Configuration): Promise<SharedState> {
  const options = { logLevel: 'silent' } as const;
  const shared = await sharedModule(configuration, options);
  return createContainer(configuration, options, shared).get(SharedState);
}

/** Nothing can be said of it; why is told by the check of the configuration. */
function notRead(name: string): DoctorCheck {
  return { name, run: async () => ({ status: 'warn', detail: 'not read: the server cannot start' }) };
}

function labelled(name: string, label: string | undefined): string {
  return label === undefined ? name : `${name} (${label})`;
}

export function doctorChecks(subject: DoctorSubject): readonly DoctorCheck[] {
  const container = new Container();
  container.load(doctorModule(subject));
  return container.getAll(DoctorCheck);
}
