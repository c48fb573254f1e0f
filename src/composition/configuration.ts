import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { builtinRequests } from '../application/permission/builtin-requests.js';
import type { CommandParser } from '../application/ports/command-parser.js';
import type { LogLevel } from '../application/ports/logger.js';
import type { TrustStore } from '../application/ports/trust-store.js';
import { BUILTIN_TOOLS } from '../domain/permission/tool-powers.js';
import { Result } from '../domain/result.js';
import { loadSettings } from '../infrastructure/config/load-settings.js';
import { DEFAULT_SETTINGS, type Settings } from '../infrastructure/config/settings.js';
import { resolveStateFolder } from '../infrastructure/config/state-folder.js';
import { FileTrustStore } from '../infrastructure/policy/file-trust-store.js';
import type { PolicyRequest } from '../infrastructure/policy/load-policy.js';
import type { TestBench } from '../infrastructure/policy/policy-tests.js';
import { serverPaths } from '../infrastructure/policy/server-paths.js';
import { YamlPolicySource } from '../infrastructure/policy/yaml-policy-source.js';
import { ShellParser } from '../infrastructure/sandbox/shell-parser.js';
import type { CastellanOptions } from './castellan-options.js';
import {
  type ConfigurationFile,
  isTrustedFile,
  locateFile,
  POLICY_NAMES,
  readConfigurationFile,
  SETTINGS_NAMES,
} from './configuration-files.js';

/** Everything that is read once at the start, checked, and then cut up for those who need a part of it. */
export interface Configuration {
  readonly workspace: string;
  readonly stateFolder: string;
  readonly settings: Settings;
  readonly policy: YamlPolicySource;
  readonly parser: CommandParser;
  readonly trust: TrustStore;
  /** What the operator should know: files that only narrow until they are trusted. */
  readonly notices: readonly string[];
}

/** Wrong configuration stops the start; the message has a line for every problem, with its place. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

type Environment = Readonly<Record<string, string | undefined>>;

export async function readConfiguration(options: CastellanOptions): Promise<Configuration> {
  const environment = options.environment ?? process.env;
  const workspace = findWorkspace(options.workspace ?? environment.CASTELLAN_WORKSPACE, environment);
  const stateFolder = orThrow(resolveStateFolder(environment));
  const trust = new FileTrustStore(stateFolder);
  const settingsFile = locateFile(options.config ?? environment.CASTELLAN_CONFIG, workspace, SETTINGS_NAMES);
  const policyFile = locateFile(options.policy ?? environment.CASTELLAN_POLICY, workspace, POLICY_NAMES);
  const ceiling = options.ceiling ?? environment.CASTELLAN_CEILING;
  const { settings, notices } = await readSettings(settingsFile, workspace, trust, environment);
  const parser = new ShellParser();
  const request = policyRequest(
    { policyFile, settingsFile, ceiling, workspace, stateFolder, environment },
    options,
    trust,
  );
  const policy = await openPolicy(request, parser, options);
  const untrusted = policyFile !== undefined && !policy.trusted ? [untrustedNotice(policyFile)] : [];
  return { workspace, stateFolder, settings, policy, parser, trust, notices: [...notices, ...untrusted] };
}

function findWorkspace(named: string | undefined, environment: Environment): string {
  const given = named === undefined || named === '' ? undefined : resolve(named);
  let root: string;
  try {
    root = realpathSync(given ?? process.cwd());
  } catch {
    throw new ConfigurationError(`The workspace ${given} does not exist. Name a folder that does.`);
  }
  const home = environment.HOME ?? homedir();
  if (given === undefined && (root === '/' || root === home)) {
    throw new ConfigurationError(
      `The current folder is ${root}, which is too much to give to an agent by accident. ` +
        'Start in a project, or name the workspace with --workspace or CASTELLAN_WORKSPACE.',
    );
  }
  return root;
}

interface ReadSettings {
  readonly settings: Settings;
  readonly notices: readonly string[];
}

async function readSettings(
  file: ConfigurationFile | undefined,
  workspace: string,
  trust: TrustStore,
  environment: Environment,
): Promise<ReadSettings> {
  if (file === undefined) return { settings: withEnvironment(DEFAULT_SETTINGS, environment), notices: [] };
  const bytes = orThrow(await readConfigurationFile(file));
  const trusted = orThrow(await isTrustedFile(file, bytes, trust));
  const settings = orThrow(await loadSettings({ file: file.path, bytes, workspace, trusted }));
  return {
    settings: withEnvironment(settings, environment),
    notices: trusted ? [] : [untrustedNotice(file)],
  };
}

const LOG_LEVELS: readonly (LogLevel | 'silent')[] = ['trace', 'debug', 'info', 'warn', 'error', 'silent'];

function withEnvironment(settings: Settings, { CASTELLAN_LOG_LEVEL: wanted }: Environment): Settings {
  if (wanted === undefined || wanted === '') return settings;
  const level = LOG_LEVELS.find((known) => known === wanted);
  if (level === undefined) {
    throw new ConfigurationError(
      `CASTELLAN_LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}; got ${wanted}.`,
    );
  }
  return { ...settings, log: { level } };
}

interface PolicyPlaces {
  readonly policyFile: ConfigurationFile | undefined;
  readonly settingsFile: ConfigurationFile | undefined;
  readonly ceiling: string | undefined;
  readonly workspace: string;
  readonly stateFolder: string;
  readonly environment: Environment;
}

function policyRequest(places: PolicyPlaces, options: CastellanOptions, trust: TrustStore): PolicyRequest {
  const { policyFile, settingsFile, ceiling, workspace, stateFolder, environment } = places;
  const home = environment.HOME ?? homedir();
  const named = [policyFile?.path, settingsFile?.path, ceiling && resolve(ceiling)].flatMap(
    (path) => path || [],
  );
  const folders = [
    stateFolder,
    resolve(environment.XDG_CONFIG_HOME ?? resolve(home, '.config'), 'castellan'),
  ];
  return {
    ...(policyFile && { file: policyFile.path }),
    trusted:
      policyFile?.named !== false || (async (file, content) => orThrow(await trust.isTrusted(file, content))),
    ...(ceiling && { ceiling: resolve(ceiling) }),
    surroundings: {
      workspace,
      home,
      ...serverPaths({ workspace, named, folders }),
      tools: ownTools(options),
    },
  };
}

/** Tools that are not ours: the embedder's, and those that modules declared. */
function ownTools({ tools = [] }: CastellanOptions): readonly string[] {
  return tools.map(({ name }) => name).filter((name) => !BUILTIN_TOOLS.includes(name));
}

async function openPolicy(
  request: PolicyRequest,
  parser: CommandParser,
  { tools = [] }: CastellanOptions,
): Promise<YamlPolicySource> {
  // A file may have tests of command lines; without one nothing has to be read.
  if (request.file !== undefined || request.ceiling !== undefined) await parser.load();
  const bench: TestBench = {
    parser,
    requestsOf: (tool, args) =>
      tools.find(({ name }) => name === tool)?.permissions?.(args, {}) ?? builtinRequests(tool, args),
  };
  const source = await YamlPolicySource.open(request, bench);
  if (!source.success) throw new ConfigurationError(source.error.message);
  return source.value;
}

function untrustedNotice({ path }: ConfigurationFile): string {
  return `${path} was found here and nobody has trusted it: it can only narrow what the built-in baseline allows. Run \`castellan trust\` if it is yours.`;
}

function orThrow<T>(result: Result<T>): T {
  if (!result.success) throw new ConfigurationError(result.error);
  return result.value;
}
